package dev.holdfast.locked;

import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The times of a scheduled method that runs in one instance of many: the defaults of a job, and the times that would let each instance run it, or no instance. */
public final class JobTimes {

    private static final Duration LONGEST_AT_LEAST = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final int RUNS = 1_000;

    private JobTimes() {}

    /** Returns how long the lock stays held at least: half of the shortest interval between two runs, 10 s at most. */
    public static Duration atLeast(Duration shortestInterval) {
        return shorter(shortestInterval.dividedBy(2), LONGEST_AT_LEAST);
    }

    /** Returns how long a call of a job waits, which must be much shorter than the time for which the lock stays held. */
    public static Duration waitFor(Duration atLeast) {
        return shorter(Duration.ofMillis(atLeast.toMillis() / 4), LONGEST_WAIT);
    }

    /**
     * Returns the problem of a scheduled method that may wait until the lock of another instance's call is free, and then runs too.
     *
     * @return the problem, as the end of a sentence that begins with the schedule; empty if there is none
     */
    public static Optional<String> problemOf(Duration waitFor, Duration atLeast) {
        return waitFor.isZero() || waitFor.compareTo(atLeast) < 0
                ? Optional.empty()
                : Optional.of("and waits up to " + DurationText.exact(waitFor)
                        + " for its lock, which stays held for at least " + DurationText.exact(atLeast)
                        + ", so each instance may run it, one after the other");
    }

    /**
     * Returns the warning about a method whose lock stays held when its next run is due.
     *
     * @return the warning, as the end of a sentence that begins with the schedule; empty if there is none
     */
    public static Optional<String> warningOf(Duration atLeast, Duration shortestInterval) {
        return atLeast.compareTo(shortestInterval) <= 0
                ? Optional.empty()
                : Optional.of("with runs only " + DurationText.exact(shortestInterval)
                        + " apart, but keeps its lock for at least " + DurationText.exact(atLeast)
                        + ", so all instances skip the runs that are due in that time");
    }

    /**
     * Returns the shortest interval among the next thousand runs of a method, which may have several schedules.
     *
     * @param start the time from which the runs are computed
     * @param schedules return the run after a time; empty for none
     * @return the interval; {@link ChronoUnit#FOREVER} if there are no two runs
     */
    public static <T extends Temporal> Duration shortestInterval(T start, List<Function<T, Optional<T>>> schedules) {
        Function<T, Optional<T>> next = time -> schedules.stream()
                .flatMap(schedule -> schedule.apply(time).stream())
                .min(Comparator.comparing(run -> Duration.between(start, run)));
        Duration shortest = ChronoUnit.FOREVER.getDuration();
        Optional<T> run = next.apply(start);
        for (int i = 0; i < RUNS && run.isPresent(); i++) {
            Optional<T> later = next.apply(run.get());
            if (later.isPresent()) {
                shortest = shorter(Duration.between(run.get(), later.get()), shortest);
            }
            run = later;
        }
        return shortest;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
