package dev.holdfast.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrustTest {

    private final Trust trust = new Trust();

    private int timesWorthIt(int asked, boolean pays) {
        return (int) IntStream.range(0, asked)
                .filter(i -> trust.isWorthIt())
                .peek(i -> {
                    if (pays) {
                        trust.paid();
                    } else {
                        trust.failed();
                    }
                })
                .count();
    }

    @Test
    void atFirstItIsTriedNowAndThen() {
        assertThat(timesWorthIt(Trust.TRY_EVERY * 10, false)).isEqualTo(10);
    }

    @Test
    void onceIsEnoughToGoOn() {
        trust.paid();

        assertThat(timesWorthIt(100, true)).isEqualTo(100);
    }

    @Test
    void whatFailsIsGivenUpSoon() {
        timesWorthIt(1_000, true);

        assertThat(timesWorthIt(20, false)).isBetween(1, 5);
    }

    @Test
    void twoOfThreeTimesAreEnough() {
        timesWorthIt(1_000, true);

        for (int i = 0; i < 100; i++) {
            assertThat(timesWorthIt(1, false)).isEqualTo(1);
            assertThat(timesWorthIt(2, true)).isEqualTo(2);
        }
    }

    @Test
    void oneOfTwoIsNot() {
        timesWorthIt(1_000, true);

        int worth = 0;
        for (int i = 0; i < 100; i++) {
            worth += timesWorthIt(1, false) + timesWorthIt(1, true);
        }
        assertThat(worth).isLessThan(60);
    }
}
