package dev.holdfast.spring.aspect;

import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.locked.JobTimes;
import dev.holdfast.spring.LockKeyConverter;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.function.SingletonSupplier;

/** The {@link Locked} methods of beans. Each is read once. Thread-safe. */
public final class LockedMethods implements BeanFactoryAware {

    private static final String ANNOTATION = "Locked";

    private final Map<AnnotatedElementKey, LockedMethod> methods = new ConcurrentHashMap<>();
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Supplier<DeclaredKeys> texts = SingletonSupplier.of(() -> new DeclaredKeys(converters()));
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
        MethodTraps.checkInterfaces(ANNOTATION, targetClass, method -> find(method) != null);
        return MethodIntrospector.selectMethods(targetClass, (MethodIntrospector.MetadataLookup<LockedMethod>)
                method -> find(method) == null ? null : of(method, targetClass));
    }

    /** Returns the name in the annotation for the lock with this full name; empty if no annotation has such a name. */
    public String nameOf(String lock) {
        for (int end = lock.length(); end > 0; end = lock.lastIndexOf(':', end - 1)) {
            if (names.contains(lock.substring(0, end))) {
                return lock.substring(0, end);
            }
        }
        return "";
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
        MethodTraps traps = new MethodTraps(isJob(method) ? "LockedJob" : ANNOTATION, method);
        traps.check(targetClass);
        traps.checkCaller(targetClass);
        if (isJob(method) && method.isAnnotationPresent(Locked.class)) {
            throw traps.problem("is @Locked too", "Keep one of the annotations");
        }
        ResultKind result = ResultKind.of(method, targetClass);
        traps.checkResult(result, targetClass);
        traps.checkSuspended(result, classLoader());
        if (locked.onBusy() == OnBusy.SKIP) {
            traps.checkSkippable(result, targetClass, "when it is skipped");
        }
        String name = resolved(traps, "name", locked.name());
        if (name.isBlank()) {
            throw traps.problem("has no name", "Name the lock, as in @Locked(name = \"orders\")");
        }
        names.add(name);
        Durations durations = durations(locked, method, traps);
        if (locked.reentrant() && !result.isThereOnReturn()) {
            throw traps.problem(
                    "is reentrant, but "
                            + (result == ResultKind.SUSPENDED
                                    ? "suspends"
                                    : "returns a "
                                            + ResultKind.typeOf(method, targetClass)
                                                    .getSimpleName())
                            + ", so it may complete after the outer call has released the lock",
                    "Return a result that is complete on return, or leave reentrant at false");
        }
        return new LockedMethod(
                traps,
                name,
                locked.key().isBlank()
                        ? null
                        : new LockKey(locked.key(), method, targetClass, traps, beanFactory, texts),
                durations.waitFor(),
                durations.ttl(),
                durations.maxHold(),
                locked.mode(),
                locked.onBusy(),
                durations.atLeast(),
                locked.onLost(),
                locked.reentrant(),
                traps.leaseParameter(),
                result);
    }

    /** The durations of one method. */
    private record Durations(
            @Nullable Duration waitFor,
            @Nullable Duration ttl,
            @Nullable Duration maxHold,
            Duration atLeast) {}

    private Durations durations(Locked locked, Method method, MethodTraps traps) {
        boolean isJob = isJob(method);
        Schedule schedule = new Schedule(method, traps, text -> resolved(traps, "schedule", text));
        Duration ttl = duration(traps, "ttl", locked.ttl());
        Duration maxHold = duration(traps, isJob ? "atMost" : "maxHold", locked.maxHold());
        Duration waitFor = duration(traps, "waitFor", locked.waitFor());
        Duration own = duration(traps, "atLeast", locked.atLeast());
        Duration atLeast = own != null ? own : (isJob ? schedule.atLeast() : Duration.ZERO);
        check(traps, () -> LeaseLimits.requireHeld("atLeast", atLeast));
        if (ttl != null) {
            check(traps, () -> LockOptions.defaults().ttl(ttl));
        }
        if (isJob && maxHold == null) {
            throw traps.problem("has no atMost", "Set the maximum time of a run, as in atMost = \"2h\"");
        }
        if (maxHold != null) {
            check(traps, () -> LockOptions.defaults().maxHold(maxHold));
            if (atLeast.compareTo(maxHold) > 0) {
                throw traps.problem(
                        "holds its lock for at least " + atLeast.toMillis() + " ms, but for at most "
                                + maxHold.toMillis() + " ms",
                        "Change one of them");
            }
        }
        Duration wait = isJob ? JobTimes.waitFor(atLeast) : waitFor;
        schedule.check(locked.onBusy(), Objects.requireNonNullElse(wait, Duration.ZERO), atLeast);
        return new Durations(wait, ttl, maxHold, atLeast);
    }

    private static boolean isJob(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, LockedJob.class);
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

    private @Nullable ClassLoader classLoader() {
        return beanFactory instanceof ConfigurableBeanFactory configurable
                ? configurable.getBeanClassLoader()
                : LockedMethods.class.getClassLoader();
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
            return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.SECONDS);
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

    private static void check(MethodTraps traps, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw traps.problem("cannot be locked: " + e.getMessage(), "Change the annotation", e);
        }
    }
}
