package dev.holdfast.internal.lease;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many tokens a client's attempts may take at once, so that leases that follow each other quickly do not use up more than a token in a microsecond of a lock: fences that
 * were lost continue from the time, 2^20 a second. Locks whose names fall together get smaller blocks, never larger ones. Thread-safe.
 */
final class FirstBlocks {

    private static final int SLOTS = 256; // a power of two
    private static final long NANOS_PER_TOKEN = 1_000;
    private static final long FULL_NANOS = TokenBlock.FIRST_SIZE * NANOS_PER_TOKEN;

    private final long originNanos;
    private final AtomicLongArray usedUpAfter = new AtomicLongArray(SLOTS); // the origin

    /** Every lock may take a full block from now on. */
    FirstBlocks(long nowNanos) {
        originNanos = nowNanos - FULL_NANOS;
    }

    /** The size of a block that is asked for now: what the time since the last one allows, at least 1. */
    int take(String resource, long nowNanos) {
        long now = nowNanos - originNanos;
        long before = usedUpAfter.getAndSet(slot(resource), now);
        long tokens = Math.min(now - before, FULL_NANOS) / NANOS_PER_TOKEN;
        return (int) Math.max(tokens, 1);
    }

    /** A lease has taken a block of its own, for which the time until now was needed. */
    void taken(String resource, long nowNanos) {
        usedUpAfter.set(slot(resource), nowNanos - originNanos);
    }

    private static int slot(String resource) {
        int hash = resource.hashCode();
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
