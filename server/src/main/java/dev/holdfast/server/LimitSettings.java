package dev.holdfast.server;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.message.Printable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Limits in a config file, with one line for each limit that differs from its default: {@code limit.leases = 100}. The keys are the names of the components of
 * {@link Limits}, in lower case with hyphens.
 */
public final class LimitSettings {

    /** The prefix of all keys of limits. */
    public static final String KEY = "limit.";

    private LimitSettings() {}

    /**
     * Returns the limits of these settings.
     *
     * @param settings keys that begin with {@link #KEY}, and their values
     * @throws IllegalArgumentException if a key names no limit or a value is invalid; the message names the key and the allowed range
     */
    public static Limits parse(Map<String, String> settings) {
        Map<String, String> left = new TreeMap<>(settings);
        RecordComponent[] parts = Limits.class.getRecordComponents();
        Object[] values = new Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                String key = key(parts[i]);
                String text = left.remove(key);
                values[i] = text == null
                        ? parts[i].getAccessor().invoke(Limits.defaults())
                        : value(key, text.strip(), parts[i].getType());
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the parts of Limits can't be read", e);
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Printable.of(left.keySet().iterator().next()) + "' is not a limit; limits are "
                            + String.join(", ", keys()));
        }
        return made(parts, values);
    }

    /** Returns all valid keys. */
    static List<String> keys() {
        return Arrays.stream(Limits.class.getRecordComponents())
                .map(LimitSettings::key)
                .toList();
    }

    private static String key(RecordComponent part) {
        return KEY + part.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static Object value(String key, String text, Class<?> type) {
        try {
            if (type == Duration.class) {
                return DurationText.parse(text);
            }
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    key + " is '" + Printable.of(text) + "', but must be a whole number from 1 to " + Limits.MOST, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": '" + Printable.of(text) + "' " + e.getMessage(), e);
        }
    }

    private static Limits made(RecordComponent[] parts, Object[] values) {
        Class<?>[] types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class[]::new);
        try {
            return Limits.class.getConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw new IllegalArgumentException(byKey(parts, String.valueOf(wrong.getMessage())), wrong);
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Limits can't be made", e);
        }
    }

    /** Returns a message that begins with the name of a limit in Java, with its key in place of that name. */
    private static String byKey(RecordComponent[] parts, String message) {
        for (RecordComponent part : parts) {
            if (message.startsWith(part.getName() + " ")) {
                return key(part) + message.substring(part.getName().length());
            }
        }
        return message;
    }
}
