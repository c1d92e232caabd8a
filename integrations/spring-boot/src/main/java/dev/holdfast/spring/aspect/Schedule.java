package dev.holdfast.spring.aspect;

import dev.holdfast.locked.JobTimes;
import dev.holdfast.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.support.CronExpression;

/** The schedule of a locked method: whether only one of all instances runs each scheduled call with its settings, and the defaults that follow from it. */
final class Schedule {

    private static final Log LOG = LogFactory.getLog(Schedule.class);
    private static final ZonedDateTime SOME_DAY = ZonedDateTime.of(2024, 2, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private final Set<Scheduled> times;
    private final MethodTraps traps;
    private final UnaryOperator<String> resolver;

    /**
     * Reads the schedule of a method.
     *
     * @param resolver replaces placeholders
     */
    Schedule(Method method, MethodTraps traps, UnaryOperator<String> resolver) {
        this.times = AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class);
        this.traps = traps;
        this.resolver = resolver;
    }

    /** Rejects a scheduled method that runs once for each instance, and warns of one that may run twice, or omit runs. */
    void check(OnBusy onBusy, Duration waitFor, Duration atLeast) {
        if (times.isEmpty()) {
            return;
        }
        String remedy = "Use @LockedJob, or @Locked(onBusy = OnBusy.SKIP, atLeast = \"10s\")";
        if (onBusy == OnBusy.WAIT) {
            throw traps.problem(
                    "is @Scheduled and waits for its lock, so each instance runs it, one after the other",
                    remedy + ". If each instance must run it, let it call a locked method of another bean");
        }
        JobTimes.problemOf(waitFor, atLeast).ifPresent(problem -> {
            throw traps.problem("is @Scheduled " + problem, "Set atLeast to more than waitFor, or omit waitFor");
        });
        if (atLeast.isZero()) {
            LOG.warn(traps.problem(
                            "is @Scheduled without atLeast, so an instance whose clock is late runs it again", remedy)
                    .getMessage());
        }
        JobTimes.warningOf(atLeast, knownInterval())
                .ifPresent(warning -> LOG.warn(
                        traps.problem("is @Scheduled " + warning, "Set atLeast to a little less than the interval")
                                .getMessage()));
    }

    /** Returns how long the lock of a job without its own minimum stays held. */
    Duration atLeast() {
        return shortestInterval()
                .map(JobTimes::atLeast)
                .orElseThrow(() -> traps.problem(
                        "has no atLeast, and no cron expression from which Holdfast could derive it",
                        "Set atLeast to a little less than the interval between two runs"));
    }

    /** Returns the shortest interval between two runs by all cron expressions together; empty if the method has another schedule, or none. */
    private Optional<Duration> shortestInterval() {
        boolean areAllKnown = !times.isEmpty() && times.stream().allMatch(this::isCron);
        return areAllKnown ? Optional.of(shortestInterval(times)) : Optional.empty();
    }

    private Duration shortestInterval(Collection<Scheduled> crons) {
        return JobTimes.shortestInterval(
                SOME_DAY, crons.stream().map(this::runs).toList());
    }

    private boolean isCron(Scheduled time) {
        String cron = resolver.apply(time.cron());
        return cron.equals(Scheduled.CRON_DISABLED) || CronExpression.isValidExpression(cron);
    }

    /** Returns the shortest interval between two runs, as far as it is known: by all cron expressions together, and by each rate and delay. */
    private Duration knownInterval() {
        List<Scheduled> crons = times.stream().filter(this::isCron).toList();
        Stream<Duration> fixed = times.stream()
                .flatMap(time -> Stream.of(
                        fixed(time.fixedRate(), time.fixedRateString(), time.timeUnit()),
                        fixed(time.fixedDelay(), time.fixedDelayString(), time.timeUnit())))
                .flatMap(Optional::stream);
        return Stream.concat(Stream.of(shortestInterval(crons)), fixed)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private Optional<Duration> fixed(long number, String text, TimeUnit unit) {
        if (number >= 0) {
            return Optional.of(Duration.of(number, unit.toChronoUnit()));
        }
        try {
            return Optional.of(resolver.apply(text).strip())
                    .filter(resolved -> !resolved.isEmpty())
                    .map(resolved -> DurationFormatterUtils.detectAndParse(
                            resolved, DurationFormat.Unit.fromChronoUnit(unit.toChronoUnit())));
        } catch (IllegalArgumentException e) { // Spring reports it when it schedules the method
            return Optional.empty();
        }
    }

    private Function<ZonedDateTime, Optional<ZonedDateTime>> runs(Scheduled time) {
        String cron = resolver.apply(time.cron());
        if (cron.equals(Scheduled.CRON_DISABLED)) {
            return run -> Optional.empty();
        }
        CronExpression expression = CronExpression.parse(cron);
        ZoneId zone = zone(resolver.apply(time.zone()));
        return run -> Optional.ofNullable(expression.next(run.withZoneSameInstant(zone)));
    }

    private static ZoneId zone(String text) {
        try {
            return text.isBlank() ? ZoneId.systemDefault() : ZoneId.of(text);
        } catch (DateTimeException e) { // Spring reports it when it schedules the method
            return ZoneId.systemDefault();
        }
    }
}
