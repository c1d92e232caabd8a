package dev.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private static final long MILLI = 1_000_000;

    /** Returns a reading of both clocks, this many milliseconds after a beginning near the monotonic clock's wrap-around. */
    private static Moment at(long monotonicMillis, long wallMillis) {
        return new Moment(Long.MAX_VALUE - 5 * MILLI + monotonicMillis * MILLI, 1_000_000 + wallMillis);
    }

    private static Moment at(long millis) {
        return at(millis, millis);
    }

    private static long leftMillis(Deadline deadline, Moment now) {
        return deadline.remainingNanos(now) / MILLI;
    }

    @Test
    void timeRunsOutAcrossTheWrapAround() {
        Deadline deadline = new Deadline(at(0), 100 * MILLI);

        assertThat(leftMillis(deadline, at(99))).isEqualTo(1);
        assertThat(deadline.isPast(at(99))).isFalse();
        assertThat(deadline.isPast(at(100))).isTrue();
    }

    @Test
    void theClockThatHasMovedMoreCounts() {
        Deadline deadline = new Deadline(at(0), 100 * MILLI);

        assertThat(leftMillis(deadline, at(10, 70))).isEqualTo(30);
        assertThat(leftMillis(deadline, at(70, 10))).isEqualTo(30);
        assertThat(leftMillis(deadline, at(10, -5_000))).isEqualTo(90);
    }

    @Test
    void noTimeIsLeftOfLessThanNothing() {
        assertThat(new Deadline(at(0), -1).isPast(at(0))).isTrue();
        assertThat(new Deadline(at(0), Long.MIN_VALUE).isPast(at(10))).isTrue();
        assertThat(new Deadline(at(0), Long.MAX_VALUE).isPast(at(1_000_000_000)))
                .isFalse();
    }

    @Test
    void theSoonerOfTwoWithOneStartIsTheShorter() {
        Deadline sooner = new Deadline(at(0), 100 * MILLI).sooner(new Deadline(at(0), 50 * MILLI));

        assertThat(leftMillis(sooner, at(20))).isEqualTo(30);
    }

    @Test
    void theSoonerOfTwoWithDifferentStartsIsTheOneThatEndsFirst() {
        Deadline early = new Deadline(at(0), 100 * MILLI);
        Deadline late = new Deadline(at(30), 60 * MILLI);

        assertThat(leftMillis(early.sooner(late), at(40))).isEqualTo(50);
        assertThat(leftMillis(late.sooner(early), at(40))).isEqualTo(50);
    }

    /** The wall clock was set between the two starts, and may be set again: combining the two deadlines must not make either last longer. */
    @Test
    void theSoonerOfTwoIsPastWhenEitherIsWhateverTheClocksDo() {
        for (long step : new long[] {0, 40, 400, -40, -400}) {
            Deadline one = new Deadline(at(0), 100 * MILLI);
            Deadline other = new Deadline(at(30, 30 + step), 80 * MILLI);
            Deadline sooner = one.sooner(other);
            for (long wall : LongStream.rangeClosed(-60, 60).toArray()) {
                for (long monotonic = 30; monotonic < 200; monotonic += 7) {
                    Moment now = at(monotonic, monotonic + wall * 10);
                    assertThat(sooner.remainingNanos(now))
                            .as("steps %d and %d, at %d", step, wall * 10, monotonic)
                            .isLessThanOrEqualTo(Math.min(one.remainingNanos(now), other.remainingNanos(now)));
                }
            }
        }
    }
}
