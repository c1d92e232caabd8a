package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * ACQUIRE of PROTOCOL §3: asks one node for its vote, prolongs a vote, or raises its fence. Idempotent.
 *
 * @param resource the name of the lock as the node knows it, key prefix included
 * @param owner who asks; its ticket is the place in the queue
 * @param mode the lock mode
 * @param ttlMillis how long the vote lasts, 1 or more
 * @param queue whether to stand in line when the vote can't be had now ("wait?" in the protocol)
 * @param waiterTtlMillis how long an entry in the queue lasts unless asked again, 1 or more; also bounds the first life of a
 *     vote that is granted from the queue
 * @param tokens how many fencing tokens the vote takes, 1 or more
 * @param floor 0, or the fence that the vote must bear at least; with a floor nothing is queued
 * @param heal with a floor: make the vote anew if the node is free and has seen no larger fence
 * @param value with a floor: what to keep as the lock's value if the vote is there, in mode EX or PW, and no later value is; null to leave it as it is
 */
public record AcquireRequest(
        String resource,
        OwnerId owner,
        LockMode mode,
        long ttlMillis,
        boolean queue,
        long waiterTtlMillis,
        int tokens,
        long floor,
        boolean heal,
        @Nullable LockValue value) {

    /** The largest length of anything that a node keeps, 139 years: added to a time it is exact in every language. */
    static final long LONGEST_MILLIS = 1L << 42;

    /** One that writes no value. */
    public AcquireRequest(
            String resource,
            OwnerId owner,
            LockMode mode,
            long ttlMillis,
            boolean queue,
            long waiterTtlMillis,
            int tokens,
            long floor,
            boolean heal) {
        this(resource, owner, mode, ttlMillis, queue, waiterTtlMillis, tokens, floor, heal, null);
    }

    /** Asks for a vote that can be granted now; without queueing. */
    public static AcquireRequest forVote(
            String resource, OwnerId owner, LockMode mode, long ttlMillis, long waiterTtlMillis, int tokens) {
        return new AcquireRequest(resource, owner, mode, ttlMillis, false, waiterTtlMillis, tokens, 0, false, null);
    }

    /** Asks for a vote, and for a place in the queue if it cannot be granted now. */
    public static AcquireRequest forQueuedVote(
            String resource, OwnerId owner, LockMode mode, long ttlMillis, long waiterTtlMillis, int tokens) {
        return new AcquireRequest(resource, owner, mode, ttlMillis, true, waiterTtlMillis, tokens, 0, false, null);
    }

    /** The same for a vote that the owner has: it is to bear this fence at least, and is never made again. */
    public AcquireRequest raisedTo(long fence) {
        return new AcquireRequest(resource, owner, mode, ttlMillis, false, waiterTtlMillis, tokens, fence, false, null);
    }

    /**
     * The same for a vote of a lease: extends it, and makes it again if the node is free and has seen no larger fence.
     *
     * @param fence the fence of the lease
     * @param kept what to keep as the lock's value; null to leave it as it is
     */
    public AcquireRequest extending(long fence, @Nullable LockValue kept) {
        return new AcquireRequest(resource, owner, mode, ttlMillis, false, waiterTtlMillis, tokens, fence, true, kept);
    }

    /** The same, but extending only a vote that is there. */
    AcquireRequest withoutHeal() {
        return heal
                ? new AcquireRequest(
                        resource, owner, mode, ttlMillis, queue, waiterTtlMillis, tokens, floor, false, value)
                : this;
    }

    public AcquireRequest {
        if (ttlMillis < 1 || waiterTtlMillis < 1 || ttlMillis > LONGEST_MILLIS || waiterTtlMillis > LONGEST_MILLIS) {
            throw new IllegalArgumentException("ttl is " + DurationText.ofMillis(ttlMillis) + " and waiterTtl is "
                    + DurationText.ofMillis(waiterTtlMillis) + "; both must be between 1 ms and "
                    + DurationText.ofMillis(LONGEST_MILLIS));
        }
        if (tokens < 1 || floor < 0) {
            throw new IllegalArgumentException(
                    "tokens " + tokens + ", floor " + floor + ": tokens are at least 1, a floor at least 0");
        }
        if (value != null && floor == 0) {
            throw new IllegalArgumentException("a value is written under a vote, but no floor is given");
        }
    }
}
