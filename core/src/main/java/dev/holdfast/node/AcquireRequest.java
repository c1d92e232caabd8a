package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The request ACQUIRE of PROTOCOL §3. It asks one node for its vote, extends a vote, or raises its fence. The request is idempotent.
 *
 * @param resource the name of the lock at the node, including the key prefix
 * @param owner the owner that asks; its ticket is the position in the queue
 * @param mode the lock mode
 * @param terms the times and tokens that the request asks for
 * @param queue whether to wait in the queue if the node cannot grant the vote now ("wait?" in the protocol)
 * @param update what the request changes in a vote that the owner has; {@link Update#NONE} if it asks for a vote
 */
public record AcquireRequest(String resource, OwnerId owner, LockMode mode, Terms terms, boolean queue, Update update) {

    /** The longest time for which a node keeps anything, 139 years. Every language can add it to a time exactly. */
    static final long LONGEST_MILLIS = 1L << 42;

    /**
     * The times and tokens of a vote.
     *
     * @param ttlMillis how long the vote lasts, in milliseconds, 1 or more
     * @param waiterTtlMillis how long an entry in the queue lasts unless the client re-sends the request, in milliseconds, 1 or more. It also
     *     limits how long a vote that is granted from the queue lasts before its first extension.
     * @param tokens how many fencing tokens the vote takes, 1 or more
     */
    public record Terms(long ttlMillis, long waiterTtlMillis, int tokens) {

        public Terms {
            if (Math.min(ttlMillis, waiterTtlMillis) < 1 || Math.max(ttlMillis, waiterTtlMillis) > LONGEST_MILLIS) {
                throw new IllegalArgumentException("ttl is " + DurationText.ofMillis(ttlMillis) + " and waiterTtl is "
                        + DurationText.ofMillis(waiterTtlMillis) + "; both must be between 1 ms and "
                        + DurationText.ofMillis(LONGEST_MILLIS));
            }
            if (tokens < 1) {
                throw new IllegalArgumentException("tokens is " + tokens + "; it must be at least 1");
            }
        }
    }

    /**
     * A change of a vote that the owner has.
     *
     * @param floor 0, or the smallest fence that the vote must have; a request with a floor never waits in the queue
     * @param heal for a request with a floor: whether to recreate the vote if the lock is free at the node and the node has seen no larger fence
     * @param value for a request with a floor: the lock's new value, or null to leave the value unchanged. The node keeps it if the vote exists in
     *     mode EX or PW and the node has no later value.
     */
    public record Update(long floor, boolean heal, @Nullable LockValue value) {

        /** No change. */
        public static final Update NONE = new Update(0, false, null);

        public Update {
            if (floor < 0) {
                throw new IllegalArgumentException("floor is " + floor + "; it must be at least 0");
            }
            if (value != null && floor == 0) {
                throw new IllegalArgumentException("a value is written under a vote, but no floor is given");
            }
        }
    }

    /** Returns a request for a vote that does not wait in the queue. */
    public static AcquireRequest forVote(
            String resource, OwnerId owner, LockMode mode, long ttlMillis, long waiterTtlMillis, int tokens) {
        Terms terms = new Terms(ttlMillis, waiterTtlMillis, tokens);
        return new AcquireRequest(resource, owner, mode, terms, false, Update.NONE);
    }

    /** Returns a request for a vote that waits in the queue if the node cannot grant the vote now. */
    public static AcquireRequest forQueuedVote(
            String resource, OwnerId owner, LockMode mode, long ttlMillis, long waiterTtlMillis, int tokens) {
        Terms terms = new Terms(ttlMillis, waiterTtlMillis, tokens);
        return new AcquireRequest(resource, owner, mode, terms, true, Update.NONE);
    }

    /** Returns the request that raises the owner's vote to at least this fence. The node never recreates a missing vote for such a request. */
    public AcquireRequest raisedTo(long fence) {
        return new AcquireRequest(resource, owner, mode, terms, false, new Update(fence, false, null));
    }

    /**
     * Returns the request that extends the vote of a lease. The node recreates a missing vote if the lock is free and the node has seen no larger
     * fence.
     *
     * @param fence the fence of the lease
     * @param kept the lock's new value; null to leave it as it is
     */
    public AcquireRequest extending(long fence, @Nullable LockValue kept) {
        return new AcquireRequest(resource, owner, mode, terms, false, new Update(fence, true, kept));
    }

    /** Returns the same request, which extends only an existing vote. */
    AcquireRequest withoutHeal() {
        return heal()
                ? new AcquireRequest(resource, owner, mode, terms, queue, new Update(floor(), false, value()))
                : this;
    }

    public long ttlMillis() {
        return terms.ttlMillis();
    }

    public long waiterTtlMillis() {
        return terms.waiterTtlMillis();
    }

    public int tokens() {
        return terms.tokens();
    }

    public long floor() {
        return update.floor();
    }

    public boolean heal() {
        return update.heal();
    }

    public @Nullable LockValue value() {
        return update.value();
    }
}
