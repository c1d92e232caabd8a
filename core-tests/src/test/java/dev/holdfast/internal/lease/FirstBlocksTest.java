package dev.holdfast.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** C16: leases that follow each other quickly do not use tokens up faster than the time base advances. */
class FirstBlocksTest {

    private static final long START = -1_000_000; // the clock passes zero during the test

    @Test
    void c16_firstBlocksNeverOutrunTheTimeBase() {
        FirstBlocks blocks = new FirstBlocks(START);
        long tokens = 0;

        for (long nanos = 0; nanos < 10_000_000; nanos += 5_000) { // a lease every 5 microseconds
            tokens += blocks.take("lock:x", START + nanos);

            assertThat(tokens).isLessThanOrEqualTo(TokenBlock.FIRST_SIZE + nanos / 1_000);
        }
    }

    @Test
    void aLockThatRestedGetsAFullBlockUnlessALeaseHasJustTakenOne() {
        FirstBlocks blocks = new FirstBlocks(START);

        assertThat(blocks.take("lock:x", START)).isEqualTo(TokenBlock.FIRST_SIZE);
        assertThat(blocks.take("lock:x", START)).isEqualTo(1);
        assertThat(blocks.take("lock:x", START + 10_000)).isEqualTo(10);
        assertThat(blocks.take("lock:x", START + 5_000_000)).isEqualTo(TokenBlock.FIRST_SIZE);
        blocks.taken("lock:x", START + 6_000_000);
        assertThat(blocks.take("lock:x", START + 6_002_000)).isEqualTo(2);
    }
}
