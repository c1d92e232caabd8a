package dev.holdfast.internal.lease;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The limit on the number of tokens that each attempt of a client may request. It keeps leases in quick succession below one token per microsecond and lock,
 * because a node that has lost a fence continues from the time, at 2^20 tokens a second. Locks whose names share a slot get smaller blocks, never larger ones.
 * Thread-safe.
 */
final class FirstBlocks {

    private static final int SLOTS = 256; // a power of two
    private static final long NANOS_PER_TOKEN = 1_000;
    private static final long FULL_NANOS = TokenBlock.FIRST_SIZE * NANOS_PER_TOKEN;

    private final long originNanos;
    private final AtomicLongArray usedUpAfter = new AtomicLongArray(SLOTS); // in nanoseconds after originNanos

    /** Creates the limit; from now on, every lock may request a full block. */
    FirstBlocks(long nowNanos) {
        originNanos = nowNanos - FULL_NANOS;
    }

    /** Returns the size of a block that is requested now: as many tokens as the time since the last block allows, at least 1. */
    int take(String resource, long nowNanos) {
        long now = nowNanos - originNanos;
        long before = usedUpAfter.getAndSet(slot(resource), now);
        return (int) Math.max(Math.min(now - before, FULL_NANOS) / NANOS_PER_TOKEN, 1);
    }

    /** Records that a lease has received a further block, which uses up the tokens of the time until now. */
    void taken(String resource, long nowNanos) {
        usedUpAfter.set(slot(resource), nowNanos - originNanos);
    }

    private static int slot(String resource) {
        int hash = resource.hashCode();
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
