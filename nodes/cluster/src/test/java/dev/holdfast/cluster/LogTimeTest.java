package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Ticker;
import org.junit.jupiter.api.Test;

class LogTimeTest {

    private static final class HandTicker implements Ticker {
        long nanos = -5;
        long wallMillis = 1_700_000_000_000L;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return wallMillis;
        }
    }

    private final HandTicker ticker = new HandTicker();
    private final LogTime time = new LogTime(ticker);

    @Test
    void aNewClusterBeginsAtTheWallClock() {
        time.takeOffice(0);

        assertThat(time.millis()).isEqualTo(ticker.wallMillis);
    }

    @Test
    void aNewLeaderContinuesWhereItsPredecessorEnded() {
        time.takeOffice(5_000);
        assertThat(time.millis()).isEqualTo(5_000);

        ticker.nanos += 1_999_999;
        assertThat(time.millis()).isEqualTo(5_001);
    }

    @Test
    void aStepOfTheWallClockChangesNothing() {
        time.takeOffice(5_000);
        ticker.wallMillis += 3_600_000;
        assertThat(time.millis()).isEqualTo(5_000);

        ticker.wallMillis -= 7_200_000;
        ticker.nanos += 10_000_000;
        assertThat(time.millis()).isEqualTo(5_010);
    }

    /** The elapsed time of an earlier term must not count again. */
    @Test
    void aSecondTermStartsAgain() {
        time.takeOffice(5_000);
        ticker.nanos += 60_000_000_000L;
        time.takeOffice(7_000);

        assertThat(time.millis()).isEqualTo(7_000);
    }
}
