package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FenceBaseTest {

    private static final long SECOND = 1_790_000_000_000L;

    @Test
    void aMillionTokensLieBetweenSeconds() {
        assertThat(FenceBase.ofAbsent(SECOND + 999)).isEqualTo(FenceBase.ofAbsent(SECOND));
        assertThat(FenceBase.ofAbsent(SECOND + 1_000) - FenceBase.ofAbsent(SECOND))
                .isEqualTo(1 << 20);
    }

    @Test
    void aRunIsAboveAThousandTokensInEveryMillisecondUntilThen() {
        for (int millis = 0; millis < 1_000; millis++) {
            assertThat(FenceBase.ofRun(SECOND + millis))
                    .isGreaterThanOrEqualTo(FenceBase.ofAbsent(SECOND) + 1_000L * (millis + 1))
                    .isGreaterThan(FenceBase.ofRun(SECOND + millis - 1) + 1_000)
                    .isLessThanOrEqualTo(FenceBase.ofAbsent(SECOND + 1_000));
        }
    }

    @Test
    void aRunThatBeganInAnotherSecondIsNotAboveAnAbsentFence() {
        assertThat(FenceBase.ofRun(SECOND - 1)).isEqualTo(FenceBase.ofAbsent(SECOND));
    }

    @Test
    void theBaseOfATableWithoutAPastIsAFence() {
        assertThat(FenceBase.ofRun(0)).isBetween(1L, 1L << 20);
    }
}
