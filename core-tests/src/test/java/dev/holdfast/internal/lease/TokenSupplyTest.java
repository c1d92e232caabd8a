package dev.holdfast.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The tokens of a lease that is handed over all the time, and the time in which it may use them. */
class TokenSupplyTest {

    private static final long START_NANOS = -1_000_000; // the clock passes zero during the test

    /** Otherwise a node that loses its fence and continues from the time could give a token twice. */
    @Test
    void blocksNeverOutrunTheTimeBase() {
        TokenBlock block = new TokenBlock(1, 1, after(0));
        long passed = 0;
        for (int blocks = 0; blocks < 2_000; blocks++) {
            while (block.left() > 0) {
                block.take();
            }
            assertThat(block.isLow()).isTrue();
            passed += block.earlyNanos(after(passed));
            block.raised(block.nextFence(), after(passed));

            assertThat(block.fence()).as("tokens after %d ns", passed).isLessThanOrEqualTo(1 + passed / 1_000);
        }
        assertThat(block.fence()).isGreaterThan(1_000_000);
    }

    private static Moment after(long nanos) {
        return new Moment(START_NANOS + nanos, 1_000);
    }

    /** Otherwise a waiter for which a token is due later would never learn of the second one. */
    @Test
    void aTokenThatIsNotDueYetIsRequestedInTimeEachTime() {
        ManualTiming time = new ManualTiming(1);
        TokenBlock block = new TokenBlock(1, 1, time.timing().now());
        block.take();
        Requests requests = new Requests(time, block);

        for (int round = 1; round <= 3; round++) {
            assertThat(requests.supply.provide(time.timing().now())).isTrue();
            assertThat(requests.supply.provide(time.timing().now())).isTrue();
            assertThat(requests.due).as("too early").isEqualTo(round - 1);
            time.advance(Duration.ofNanos(block.earlyNanos(time.timing().now())));
            assertThat(requests.due).isEqualTo(round);
            assertThat(requests.raised).isEqualTo(round);
            while (block.left() > 0) {
                block.take();
            }
        }
    }

    /** A lease that raises its block once tokens are due. */
    private static final class Requests implements TokenSupply.Lease {

        private final ManualTiming time;
        private final TokenBlock block;
        private final TokenSupply supply;
        private int raised;
        private int due;

        Requests(ManualTiming time, TokenBlock block) {
            this.time = time;
            this.block = block;
            this.supply = new TokenSupply(time.timing().scheduler(), new SerialExecutor(), block, this);
        }

        @Override
        public void raise(long fence, Moment now) {
            raised++;
            block.raised(fence, now);
        }

        @Override
        public void tokensDue() {
            due++;
            supply.provide(time.timing().now());
        }
    }
}
