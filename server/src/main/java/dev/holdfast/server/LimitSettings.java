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
 * Limits as they stand in a config file, a line for each that is not to be as by default: {@code limit.leases = 100}. The keys are the names of the
 * parts of {@link Limits}, in small letters with hyphens.
 */
public final class LimitSettings {

    /** What all keys of limits begin with. */
    public static final String KEY = "limit.";

    private LimitSettings() {}

    /**
     * The limits of these settings.
     *
     * @param settings keys that begin with {@link #KEY}, and their values
     * @throws IllegalArgumentException if a key is none of a limit, or a value is wrong: says which, and what it may be
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
                    "'" + Printable.of(left.keySet().iterator().next()) + "' is no limit; limits are "
                            + String.join(", ", keys()));
        }
        return made(parts, values);
    }

    /** All keys there are. */
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
                throw wrong;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Limits can't be made", e);
        }
    }
}
