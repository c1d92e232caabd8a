package dev.holdfast.internal.lease;

import dev.holdfast.time.Moment;

/**
 * The fencing tokens of one lease, which are used one by one, and the size of the next block (PROTOCOL §7). Accessed only on the lease's serial executor.
 *
 * <p>A node that has lost a fence continues from the time, {@code seconds << 20}, so a lock must not use more than 2^20 tokens a second for a long time. A
 * lease therefore requests a block only after the last block's share of time has passed.
 */
final class TokenBlock {

    /** The size of the first block when several waiters of a client want the lock. */
    static final int FIRST_SIZE = 64;

    private static final int LARGEST_SIZE = 1024;
    private static final int LOW_PART = 4;
    private static final long NANOS_PER_TOKEN = 1_000; // a little more than 1 s / 2^20

    private long next;
    private long last;
    private int size = FIRST_SIZE;
    private Moment since;
    /** Whether the nodes refused to grant more tokens. */
    boolean stuck;

    /**
     * Creates a block of the tokens {@code fence - count + 1 .. fence}, or of the token 0 for a mode without tokens.
     *
     * @param since when the nodes granted them
     */
    TokenBlock(long fence, int count, Moment since) {
        this.next = fence == 0 ? 0 : fence - count + 1;
        this.last = fence;
        this.since = since;
    }

    /** Uses the next token. */
    long take() {
        return next++;
    }

    long left() {
        return last - next + 1;
    }

    /** Returns whether it is time to request more tokens. */
    boolean isLow() {
        return left() < size / LOW_PART;
    }

    /** Returns the fence that a majority of the lease's votes bears. */
    long fence() {
        return last;
    }

    /** Returns the fence to raise the lease to for more tokens. */
    long nextFence() {
        return last + size;
    }

    /** Returns how long the lease must still wait before it requests more tokens; 0 if it may do so now. */
    long earlyNanos(Moment now) {
        return Math.max(size * NANOS_PER_TOKEN - since.nanosUntil(now), 0);
    }

    /** Adds the tokens up to this fence, which a majority bears now; a fence that is no larger than before changes nothing. */
    void raised(long fence, Moment now) {
        if (fence > last) {
            last = fence;
            since = now;
            size = Math.min(size * 2, LARGEST_SIZE);
        }
    }
}
