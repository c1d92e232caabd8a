package dev.holdfast.spring.aspect;

import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.spring.LockKeyConverter;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.function.SingletonSupplier;

/** The {@link Locked} methods of beans. Each is read once. Thread-safe. */
public final class LockedMethods implements BeanFactoryAware {

    private static final String ANNOTATION = "Locked";

    private final Map<AnnotatedElementKey, LockedMethod> methods = new ConcurrentHashMap<>();
    private final Supplier<KeyText> texts = SingletonSupplier.of(() -> new KeyText(converters()));
    private @Nullable BeanFactory beanFactory;

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** Reads and checks the locked methods of a class. */
    Map<Method, LockedMethod> of(Class<?> targetClass) {
        if (!AnnotationUtils.isCandidateClass(targetClass, Locked.class)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(targetClass, (MethodIntrospector.MetadataLookup<LockedMethod>)
                method -> find(method) == null ? null : of(method, targetClass));
    }

    /** Returns the settings of a method that has the annotation. */
    LockedMethod of(Method method, Class<?> targetClass) {
        return methods.computeIfAbsent(new AnnotatedElementKey(method, targetClass), key -> read(method, targetClass));
    }

    private static @Nullable Locked find(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
    }

    private LockedMethod read(Method method, Class<?> targetClass) {
        Locked locked = Objects.requireNonNull(find(method));
        MethodTraps traps = new MethodTraps(ANNOTATION, method);
        traps.check(targetClass);
        ResultKind result = ResultKind.of(method);
        traps.checkResult(result);
        if (locked.onBusy() == OnBusy.SKIP) {
            traps.checkSkippable(result, "when it is skipped");
        }
        String name = resolved(traps, "name", locked.name());
        if (name.isBlank()) {
            throw traps.problem("has no name", "Name the lock, as in @Locked(name = \"orders\")");
        }
        Duration atLeast = duration(traps, "atLeast", locked.atLeast());
        Duration ttl = duration(traps, "ttl", locked.ttl());
        return new LockedMethod(
                traps,
                name,
                locked.key().isBlank() ? null : new LockKey(locked.key(), method, targetClass, traps, beans(), texts),
                duration(traps, "waitFor", locked.waitFor()),
                ttl == null ? null : checked(traps, () -> LockOptions.defaults().ttl(ttl), ttl),
                locked.mode(),
                locked.onBusy(),
                atLeast == null
                        ? Duration.ZERO
                        : checked(traps, () -> LeaseLimits.requireHeld("atLeast", atLeast), atLeast),
                locked.onLost(),
                traps.leaseParameter(),
                result);
    }

    private List<LockKeyConverter<?>> converters() {
        ResolvableType any = ResolvableType.forClass(LockKeyConverter.class);
        return beanFactory == null
                ? List.of()
                : beanFactory
                        .<LockKeyConverter<?>>getBeanProvider(any)
                        .orderedStream()
                        .toList();
    }

    private @Nullable BeanFactoryResolver beans() {
        return beanFactory == null ? null : new BeanFactoryResolver(beanFactory);
    }

    private @Nullable Duration duration(MethodTraps traps, String what, String text) {
        String resolved = resolved(traps, what, text);
        if (resolved.isBlank()) {
            return null;
        }
        Duration duration = parsed(traps, what, resolved.strip());
        if (duration.isNegative()) {
            throw traps.problem("has the " + what + " '" + resolved + "', but it must be 0 or more", "Change it");
        }
        return duration;
    }

    private static Duration parsed(MethodTraps traps, String what, String text) {
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw traps.problem(
                    "has the " + what + " '" + text + "', which is not a duration",
                    "Use a duration such as 500ms, 5s, 2m or 1h",
                    e);
        }
    }

    /** Returns an attribute with its placeholders resolved. */
    String resolved(MethodTraps traps, String what, String text) {
        if (!(beanFactory instanceof ConfigurableBeanFactory configurable) || text.isEmpty()) {
            return text;
        }
        try {
            String resolved = configurable.resolveEmbeddedValue(text);
            return resolved == null ? "" : resolved;
        } catch (IllegalArgumentException e) {
            throw traps.problem("has the " + what + " '" + text + "': " + e.getMessage(), "Set the property", e);
        }
    }

    private static Duration checked(MethodTraps traps, Runnable check, Duration value) {
        try {
            check.run();
            return value;
        } catch (IllegalArgumentException e) {
            throw traps.problem("can't be locked so: " + e.getMessage(), "Change the annotation", e);
        }
    }
}
