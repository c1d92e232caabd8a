package dev.holdfast.quarkus.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.locked.KeyText;
import dev.holdfast.quarkus.LockKeyConverter;
import dev.holdfast.quarkus.LockedMethodException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The locked methods of the application. Thread-safe. */
@Singleton
public class LockedMethods {

    private final Map<String, LockedMethod> methods;
    private final Instance<LockKeyConverter<?>> converters;
    private volatile @Nullable List<LockKeyConverter<?>> created;

    @Inject
    public LockedMethods(LockedMethodTable table, @Any Instance<LockKeyConverter<?>> converters) {
        this.converters = converters;
        KeyText texts = new KeyText(this::conversionOf);
        this.methods = table.methods().stream()
                .collect(Collectors.toUnmodifiableMap(data -> data.shape().id(), data -> read(data, texts)));
    }

    private static LockedMethod read(LockedMethodData data, KeyText texts) {
        MethodShape shape = data.shape();
        String name = resolved(shape, data.settings().name());
        if (name.isBlank()) {
            throw new LockedMethodException(
                    shape.text(), "has no name", "Name the lock, as in @Locked(name = \"orders\")", null);
        }
        List<KeyPath> keys = data.settings().keys();
        return new LockedMethod(
                shape,
                data.settings(),
                name,
                keys.isEmpty() ? null : new LockKey(shape, keys, texts),
                Durations.of(shape, data.times(), text -> resolved(shape, text)));
    }

    /**
     * Returns the application's converters. The first key creates them, and not this object: a bean may have both a converter and locked methods, and needs
     * this object for its own creation, perhaps on another thread.
     */
    private List<LockKeyConverter<?>> converters() {
        List<LockKeyConverter<?>> known = created;
        if (known == null) {
            known = converters.stream().collect(Collectors.toUnmodifiableList());
            created = known;
        }
        return known;
    }

    private @Nullable Function<Object, String> conversionOf(Class<?> type) {
        for (LockKeyConverter<?> converter : converters()) {
            if (converter.type().isAssignableFrom(type)) {
                return value -> converted(converter, value);
            }
        }
        return null;
    }

    private static <T> String converted(LockKeyConverter<T> converter, Object value) {
        return converter.textOf(converter.type().cast(value));
    }

    /** Returns a text of an annotation with its expressions resolved. */
    private static String resolved(MethodShape method, String text) {
        if (!text.contains("${")) {
            return text;
        }
        try {
            return Expressions.resolved(text);
        } catch (NoSuchElementException | IllegalArgumentException e) {
            throw new LockedMethodException(
                    method.text(), "has the text '" + text + "': " + e.getMessage(), "Set the property", e);
        }
    }

    /** Checks all methods at the start, without asking a node. */
    void rehearse(Holdfast holdfast) {
        methods.values().forEach(method -> method.rehearse(holdfast));
    }

    LockedMethod of(Method method) {
        LockedMethod found = methods.get(MethodShape.idOf(method));
        if (found == null) {
            throw new IllegalStateException("the build did not see that " + method + " is locked");
        }
        return found;
    }

    /** Returns the name in the annotation for the lock with this full name; empty if no annotation has such a name. */
    String nameOf(String lock) {
        for (int end = lock.length(); end > 0; end = lock.lastIndexOf(':', end - 1)) {
            String name = lock.substring(0, end);
            if (methods.values().stream().anyMatch(method -> method.name().equals(name))) {
                return name;
            }
        }
        return "";
    }
}
