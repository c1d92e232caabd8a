package dev.holdfast.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import org.junit.jupiter.api.Test;

class AdjustedTickerTest {

    private long nanos = Long.MAX_VALUE - 1_000_000_000; // wraps around soon
    private long wallMillis = 1_790_000_000_000L;

    private final AdjustedTicker ticker = new AdjustedTicker(new Ticker() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return wallMillis;
        }
    });

    private void pass(long millis) {
        nanos += millis * 1_000_000;
        wallMillis += millis;
    }

    private long millisSince(Moment start) {
        return start.nanosUntil(ticker.now()) / 1_000_000;
    }

    @Test
    void aFreezeCountsAsTimeThatHasPassed() {
        Moment start = ticker.now();
        pass(2_000);
        ticker.missed(500);
        assertThat(millisSince(start)).isEqualTo(2_500);
    }

    @Test
    void aWallClockThatIsSetBackDoesNotMakeUpForAFreeze() {
        Moment start = ticker.now();
        ticker.missed(500);
        wallMillis -= 60_000;
        pass(2_000);
        assertThat(millisSince(start)).isEqualTo(2_500);
    }

    @Test
    void aWallClockThatIsSetBackDoesNotMakeUpForSleep() {
        Moment start = ticker.now();
        wallMillis += 3_000; // asleep: the monotonic clock stands still
        assertThat(millisSince(start)).isEqualTo(3_000);
        wallMillis -= 3_000;
        pass(100);
        assertThat(millisSince(start)).isEqualTo(3_100);
    }

    @Test
    void sleepCountsAfterTheWallClockWasSetBack() {
        ticker.now();
        wallMillis -= 60_000;
        pass(100);
        Moment start = ticker.now();
        wallMillis += 45_000; // asleep
        assertThat(millisSince(start)).isEqualTo(45_000);
    }

    @Test
    void sleepCountsThoughTheWallClockRunsSlow() {
        for (int i = 0; i < 1_000; i++) {
            pass(1_000);
            wallMillis -= 50;
            ticker.now();
        }
        Moment start = ticker.now();
        wallMillis += 45_000; // asleep
        assertThat(millisSince(start)).isBetween(44_500L, 45_000L);
    }
}
