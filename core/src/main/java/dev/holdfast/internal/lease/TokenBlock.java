package dev.holdfast.internal.lease;

import dev.holdfast.time.Moment;

/**
 * The fencing tokens of one lease, given out one by one, and how more are asked for (PROTOCOL §7). Accessed only on the lease's serial executor.
 *
 * <p>A fence that was lost is based anew on the time, {@code seconds << 20}, so no lock may use up more than 2^20 tokens a second for
 * long: a block is not asked for before the time that it stands for has passed since the last one.
 */
final class TokenBlock {

    /** How many tokens are taken at once when several of a client are known to want the lock. */
    static final int FIRST_SIZE = 64;

    private static final int LARGEST_SIZE = 1024;
    private static final int LOW_PART = 4;
    private static final long NANOS_PER_TOKEN = 1_000; // a little more than a second's 2^20-th part

    private long next;
    private long last;
    private int size = FIRST_SIZE;
    private Moment since;
    private boolean stuck;

    /**
     * The tokens {@code fence - count + 1 .. fence}, or the token 0 for a mode that bears none.
     *
     * @param since when they were given
     */
    TokenBlock(long fence, int count, Moment since) {
        this.next = fence == 0 ? 0 : fence - count + 1;
        this.last = fence;
        this.since = since;
    }

    /** The next token. */
    long take() {
        return next++;
    }

    long left() {
        return last - next + 1;
    }

    /** Whether it is time to ask for more. */
    boolean isLow() {
        return left() < size / LOW_PART;
    }

    /** The fence that a majority of the lease's votes bears. */
    long fence() {
        return last;
    }

    /** The fence to raise the lease to for more tokens. */
    long nextFence() {
        return last + size;
    }

    /** How much too early it is to ask for more, 0 if it is not. */
    long earlyNanos(Moment now) {
        return Math.max(size * NANOS_PER_TOKEN - since.nanosUntil(now), 0);
    }

    /** A majority bears this fence now; one that is no larger than before changes nothing. */
    void raised(long fence, Moment now) {
        if (fence > last) {
            last = fence;
            since = now;
            size = Math.min(size * 2, LARGEST_SIZE);
        }
    }

    /** No more could be had. */
    void stick() {
        stuck = true;
    }

    boolean isStuck() {
        return stuck;
    }
}
