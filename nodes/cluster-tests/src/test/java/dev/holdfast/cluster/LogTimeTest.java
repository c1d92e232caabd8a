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

    private void pass(long millis) {
        ticker.nanos += millis * 1_000_000;
    }

    @Test
    void theTimeOfAQuickCommitCounts() {
        time.takeOffice(5_000);
        time.proposed();
        pass(200);
        time.committed(false);
        pass(1_000);

        assertThat(time.millis()).isEqualTo(6_200);
    }

    /** Requests that refresh votes and positions wait meanwhile, so these must not expire. */
    @Test
    void timeStandsStillWhileAnEntryIsNotCommitted() {
        time.takeOffice(5_000);
        pass(100);
        time.proposed();
        pass(10_000);
        assertThat(time.millis()).isEqualTo(5_350);

        time.committed(false);
        assertThat(time.millis()).isEqualTo(5_350);
        pass(1_000);
        assertThat(time.millis()).isEqualTo(6_350);
    }

    @Test
    void theTimeOfTwoEntriesUnderWayCountsOnce() {
        time.takeOffice(5_000);
        time.proposed();
        pass(100);
        time.proposed();
        pass(1_000);
        time.committed(true);
        assertThat(time.millis()).isEqualTo(5_250);

        pass(1_000);
        time.committed(false);
        assertThat(time.millis()).isEqualTo(5_500);
    }

    /** A leader that hands its lead over refuses entries. If that fails, it goes on. */
    @Test
    void anEntryThatIsGivenUpDoesNotLetTheTimeGoOn() {
        time.takeOffice(5_000);
        time.proposed();
        pass(2_000);
        time.proposed();
        assertThat(time.millis()).isEqualTo(5_250);

        pass(10);
        time.committed(false);
        pass(10);
        assertThat(time.millis()).isEqualTo(5_260);
    }

    @Test
    void aNewTermWaitsForNoEntryOfAnEarlierOne() {
        time.takeOffice(5_000);
        time.proposed();
        pass(2_000);
        time.takeOffice(7_000);
        pass(1_000);

        assertThat(time.millis()).isEqualTo(8_000);
    }
}
