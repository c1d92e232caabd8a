package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FenceFromTimeTest {

    private static final long SECOND = 1_790_000_000_000L;

    @Test
    void aMillionTokensLieBetweenSeconds() {
        assertThat(FenceFromTime.ofAbsent(SECOND + 999)).isEqualTo(FenceFromTime.ofAbsent(SECOND));
        assertThat(FenceFromTime.ofAbsent(SECOND + 1_000) - FenceFromTime.ofAbsent(SECOND))
                .isEqualTo(1 << 20);
    }

    @Test
    void aRunIsAboveAThousandTokensInEveryMillisecondUntilThen() {
        for (int millis = 0; millis < 1_000; millis++) {
            assertThat(FenceFromTime.ofRun(SECOND + millis))
                    .isGreaterThanOrEqualTo(FenceFromTime.ofAbsent(SECOND) + 1_000L * (millis + 1))
                    .isGreaterThan(FenceFromTime.ofRun(SECOND + millis - 1) + 1_000)
                    .isLessThanOrEqualTo(FenceFromTime.ofAbsent(SECOND + 1_000));
        }
    }

    @Test
    void aRunThatBeganInAnotherSecondIsNotAboveAnAbsentFence() {
        assertThat(FenceFromTime.ofRun(SECOND - 1)).isEqualTo(FenceFromTime.ofAbsent(SECOND));
    }

    @Test
    void theBaseOfATableWithoutAPastIsAFence() {
        assertThat(FenceFromTime.ofRun(0)).isBetween(1L, 1L << 20);
    }
}
