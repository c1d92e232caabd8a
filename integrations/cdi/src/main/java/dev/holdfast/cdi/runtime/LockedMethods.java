package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.cdi.LockKeyConverter;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.locked.KeyText;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The locked methods of the application. Thread-safe. */
@Singleton
public class LockedMethods {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Map<String, LockedMethod> methods;
    private final Duration longestWait;
    private final Instance<LockKeyConverter<?>> converters;
    private volatile @Nullable List<LockKeyConverter<?>> created;

    @Inject
    public LockedMethods(LockedMethodTable table, Platform platform, @Any Instance<LockKeyConverter<?>> converters) {
        this.converters = converters;
        this.longestWait = platform.settings().locked().waitFor().orElse(LONGEST_WAIT);
        if (longestWait.isNegative()) {
            throw new HoldfastPropertyException(
                    platform.root() + "locked.wait-for",
                    "it is " + DurationText.exact(longestWait)
                            + ", but must be 0 or more, since it is the longest time of a wait",
                    "Set a duration such as 30s; 0 does not wait",
                    null);
        }
        KeyText texts = new KeyText(this::conversionOf);
        this.methods = table.methods().stream()
                .collect(Collectors.toUnmodifiableMap(data -> data.shape().id(), data -> read(data, texts, platform)));
    }

    private static LockedMethod read(LockedMethodData data, KeyText texts, Platform platform) {
        MethodShape shape = data.shape();
        String name = Expressions.resolved(shape, data.settings().name(), platform);
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
                Durations.of(shape, data.times(), platform));
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

    /** Checks all methods at the start, without asking a node. */
    void rehearse(Holdfast holdfast) {
        methods.values().forEach(method -> method.rehearse(holdfast));
    }

    /** Returns how long a waiting method without its own limit waits. */
    Duration longestWait() {
        return longestWait;
    }

    LockedMethod of(Method method) {
        LockedMethod found = methods.get(MethodShape.idOf(method));
        if (found == null) {
            throw new IllegalStateException("the annotation of " + method
                    + " was not found when the application was built or deployed. Put it on the method itself.");
        }
        return found;
    }

    /** Returns the name in the annotation for the lock with this full name; empty if no annotation has such a name. */
    public String nameOf(String lock) {
        for (int end = lock.length(); end > 0; end = lock.lastIndexOf(':', end - 1)) {
            String name = lock.substring(0, end);
            if (methods.values().stream().anyMatch(method -> method.name().equals(name))) {
                return name;
            }
        }
        return "";
    }
}
