package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.locked.JobTimes;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The durations of one locked method.
 *
 * @param waitFor null unless set
 * @param ttl null for the client's ttl
 * @param maxHold null for the client's longest hold
 * @param atLeast zero unless set
 */
record Durations(
        @Nullable Duration waitFor,
        @Nullable Duration ttl,
        @Nullable Duration maxHold,
        Duration atLeast) {

    private static final System.Logger LOG = System.getLogger(Durations.class.getName());

    /** Reads and checks the durations of a method. */
    static Durations of(MethodShape method, TimeSettings times, Platform platform) {
        UnaryOperator<String> resolver = text -> Expressions.resolved(method, text, platform);
        Duration ttl = duration(method, "ttl", resolver.apply(times.ttl()));
        Duration maxHold = duration(method, times.isJob() ? "atMost" : "maxHold", resolver.apply(times.maxHold()));
        Duration waitFor = duration(method, "waitFor", resolver.apply(times.waitFor()));
        Duration own = duration(method, "atLeast", resolver.apply(times.atLeast()));
        Duration atLeast = own != null ? own : (times.isJob() ? derived(method, times, platform) : Duration.ZERO);
        check(method, () -> LeaseLimits.requireHeld("atLeast", atLeast));
        if (ttl != null) {
            check(method, () -> LockOptions.defaults().ttl(ttl));
        }
        if (times.isJob() && maxHold == null) {
            throw new LockedMethodException(
                    method.text(), "has no atMost", "Set the maximum time of a run, as in atMost = \"2h\"", null);
        }
        if (maxHold != null) {
            check(method, () -> LockOptions.defaults().maxHold(maxHold));
            if (atLeast.compareTo(maxHold) > 0) {
                throw new LockedMethodException(
                        method.text(),
                        "holds its lock for at least " + atLeast.toMillis() + " ms, but for at most "
                                + maxHold.toMillis() + " ms",
                        "Change one of them",
                        null);
            }
        }
        Duration wait = times.isJob() ? JobTimes.waitFor(atLeast) : waitFor;
        rejectLongWait(method, times.schedule(), Objects.requireNonNullElse(wait, Duration.ZERO), atLeast);
        warning(method, times.schedule(), atLeast, platform).ifPresent(text -> LOG.log(Level.WARNING, text));
        return new Durations(wait, ttl, maxHold, atLeast);
    }

    /** Rejects a scheduled method that runs once for each instance. */
    private static void rejectLongWait(
            MethodShape method, ScheduleSettings schedule, Duration waitFor, Duration atLeast) {
        if (schedule.isScheduled()) {
            JobTimes.problemOf(waitFor, atLeast).ifPresent(problem -> {
                throw new LockedMethodException(
                        method.text(),
                        "is " + schedule.annotation() + " " + problem,
                        "Set atLeast to more than waitFor, or omit waitFor",
                        null);
            });
        }
    }

    /** Returns the warning about a scheduled method whose lock stays held when its next run is due; empty if there is none. */
    static Optional<String> warning(
            MethodShape method, ScheduleSettings schedule, Duration atLeast, Platform platform) {
        List<String> crons = resolved(method, schedule.crons(), platform);
        Stream<Duration> byCron = crons.isEmpty() ? Stream.of() : Stream.of(platform.shortestInterval(method, crons));
        Stream<Duration> byEvery =
                resolved(method, schedule.everies(), platform).stream().flatMap(Durations::interval);
        return Stream.concat(byCron, byEvery)
                .min(Comparator.naturalOrder())
                .flatMap(interval -> JobTimes.warningOf(atLeast, interval))
                .map(warning -> new LockedMethodException(
                                method.text(),
                                "is " + schedule.annotation() + " " + warning,
                                "Set atLeast to a little less than the interval",
                                null)
                        .getMessage());
    }

    private static List<String> resolved(MethodShape method, List<String> texts, Platform platform) {
        return texts.stream()
                .map(text -> Expressions.resolved(method, text, platform))
                .filter(text -> !text.isBlank())
                .toList();
    }

    private static Stream<Duration> interval(String every) {
        try {
            return Stream.of(DurationValue.of(every));
        } catch (IllegalArgumentException e) { // "off", or a text that the scheduler reports
            return Stream.of();
        }
    }

    private static Duration derived(MethodShape method, TimeSettings times, Platform platform) {
        if (times.schedule().crons().isEmpty()) {
            throw new LockedMethodException(
                    method.text(),
                    "has no atLeast, and no cron expression from which Holdfast could derive it",
                    "Set atLeast to a little less than the interval between two runs",
                    null);
        }
        List<String> crons = times.schedule().crons().stream()
                .map(cron -> Expressions.resolved(method, cron, platform))
                .toList();
        return JobTimes.atLeast(platform.shortestInterval(method, crons));
    }

    private static @Nullable Duration duration(MethodShape method, String what, String text) {
        if (text.isBlank()) {
            return null;
        }
        Duration duration;
        try {
            duration = DurationValue.of(text);
        } catch (IllegalArgumentException e) {
            throw new LockedMethodException(
                    method.text(),
                    "has the " + what + " '" + text + "', which is not a duration",
                    "Use a duration such as 500ms, 5s, 2m or 1h",
                    e);
        }
        if (duration.isNegative()) {
            throw new LockedMethodException(
                    method.text(), "has the " + what + " '" + text + "', but it must be 0 or more", "Change it", null);
        }
        return duration;
    }

    private static void check(MethodShape method, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw new LockedMethodException(
                    method.text(), "cannot be locked: " + e.getMessage(), "Change the annotation", e);
        }
    }
}
