package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobTimesTest {

    private static final LocalDateTime START = LocalDateTime.of(2024, 2, 1, 0, 0);

    @Test
    void aJobHoldsItsLockForHalfOfItsInterval() {
        assertThat(JobTimes.atLeast(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(500));
        assertThat(JobTimes.atLeast(Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(10));
        assertThat(JobTimes.atLeast(ChronoUnit.FOREVER.getDuration())).isEqualTo(Duration.ofSeconds(10));
        assertThat(JobTimes.waitFor(Duration.ofMillis(500))).isEqualTo(Duration.ofMillis(125));
        assertThat(JobTimes.waitFor(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aCallMustNotWaitUntilTheLockOfAnotherInstanceIsFree() {
        Duration atLeast = Duration.ofSeconds(2);
        assertThat(JobTimes.problemOf(Duration.ofSeconds(8), atLeast))
                .hasValue("and waits up to 8 s for its lock, which stays held for at least 2 s,"
                        + " so each instance may run it, one after the other");
        assertThat(JobTimes.problemOf(atLeast, atLeast)).isPresent();
        assertThat(JobTimes.problemOf(Duration.ofMillis(1), Duration.ZERO)).isPresent();
        assertThat(JobTimes.problemOf(atLeast.minusMillis(1), atLeast)).isEmpty();
        assertThat(JobTimes.problemOf(Duration.ZERO, Duration.ZERO)).isEmpty();
    }

    @Test
    void aLockThatOutlastsTheIntervalIsAWarning() {
        Duration interval = Duration.ofSeconds(2);
        assertThat(JobTimes.warningOf(Duration.ofSeconds(10), interval))
                .hasValue("with runs only 2 s apart, but keeps its lock for at least 10 s,"
                        + " so all instances skip the runs that are due in that time");
        assertThat(JobTimes.warningOf(interval, interval)).isEmpty();
    }

    @Test
    void theShortestIntervalCounts() {
        assertThat(JobTimes.shortestInterval(
                        START, List.of(run -> Optional.of(run.plusSeconds(run.getSecond() == 30 ? 3 : 10)))))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(JobTimes.shortestInterval(START, List.of(run -> Optional.of(run.plusDays(1)))))
                .isEqualTo(Duration.ofDays(1));
        assertThat(JobTimes.<LocalDateTime>shortestInterval(START, List.of(run -> Optional.empty())))
                .isEqualTo(ChronoUnit.FOREVER.getDuration());
    }

    @Test
    void theSchedulesOfOneMethodCountTogether() {
        assertThat(JobTimes.shortestInterval(
                        START,
                        List.of(
                                run -> Optional.of(
                                        run.truncatedTo(ChronoUnit.DAYS).plusDays(1)),
                                run -> Optional.of(run.truncatedTo(ChronoUnit.DAYS)
                                        .plusDays(run.getSecond() < 7 ? 0 : 1)
                                        .plusSeconds(7)))))
                .isEqualTo(Duration.ofSeconds(7));
    }
}
