package dev.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a node to an {@link AcquireRequest}: a vote ({@link Granted}), a refusal ({@link Queued}, {@link Denied}, {@link Sealed}), or an
 * answer that counts as neither ({@link Quarantined}, {@link Unavailable}).
 */
public sealed interface AcquireAnswer
        permits AcquireAnswer.Granted,
                AcquireAnswer.Queued,
                AcquireAnswer.Denied,
                AcquireAnswer.Sealed,
                AcquireAnswer.Quarantined,
                Unavailable {

    /**
     * Returns the latest ticket time at this resource that the node knows, in microseconds; 0 if it reports none. The client's own next ticket will
     * be later (PROTOCOL §1).
     */
    default long latestTicketTime() {
        return 0;
    }

    /**
     * Returns the longest ttl of a vote that the node remembers for this resource, in milliseconds, if it is longer than the request's ttl; else 0. A
     * client with a shorter ttl quarantines nodes for this resource by the longer ttl (PROTOCOL §5).
     */
    default long longestTtlMillis() {
        return 0;
    }

    /**
     * The answer that the owner has the node's vote.
     *
     * @param fence the fence of the vote, 0 in mode NL
     * @param contender the earliest waiter that this vote blocks, if any
     * @param value the lock's value, if there is one; the node reports it only to a request without a floor
     */
    record Granted(
            long fence,
            @Nullable Ticket contender,
            long latestTicketTime,
            @Nullable LockValue value,
            long longestTtlMillis)
            implements AcquireAnswer {

        /** Creates the answer for a lock without a value, of a node that does not remember a longer ttl. */
        public Granted(long fence, @Nullable Ticket contender, long latestTicketTime) {
            this(fence, contender, latestTicketTime, null, 0);
        }
    }

    /**
     * The answer that the owner waits in the node's queue.
     *
     * @param remainingMillis the time after which re-sending the request may help: the first vote of another owner ends then. 0 if no such
     *     vote has an end: the grant is under way, or the holder has no expiry.
     * @param fence the node's fence before it granted votes from the queue; a grant with no larger fence is older than this answer
     * @param place the position in the queue, 1 for the first waiter
     * @param blocker a holder that blocks the request, if any
     */
    record Queued(
            long remainingMillis,
            long fence,
            int place,
            @Nullable Blocker blocker,
            long latestTicketTime,
            long longestTtlMillis)
            implements AcquireAnswer {}

    /**
     * The answer that the owner has no vote at this node and does not wait in its queue.
     *
     * @param remainingMillis the same time as in {@link Queued}
     * @param reason the reason why the node gave no vote
     * @param blocker a holder that blocks the request, if any
     */
    record Denied(
            long remainingMillis,
            Reason reason,
            @Nullable Blocker blocker,
            long latestTicketTime,
            long longestTtlMillis)
            implements AcquireAnswer {

        /** Creates the answer of a node that does not remember a longer ttl. */
        public Denied(long remainingMillis, Reason reason, @Nullable Blocker blocker, long latestTicketTime) {
            this(remainingMillis, reason, blocker, latestTicketTime, 0);
        }

        /** The reason why there is no vote, in the order in which a node checks. */
        public enum Reason {
            /** The node keeps a tombstone of the owner: its release arrived before the request. */
            BURIED,
            /** The request has a floor, but the vote that it should raise or extend does not exist, and the node cannot recreate it. */
            NO_VOTE,
            /** A holder has a conflicting vote. */
            HELD,
            /** No holder has a conflicting vote, but other waiters are ahead in the queue. */
            WAITERS,
        }
    }

    /**
     * The answer that the lock is sealed: a client declared the work under it done.
     *
     * @param seal the owner that sealed the lock, and the time for which it stays sealed
     */
    record Sealed(Seal seal) implements AcquireAnswer {}

    /**
     * The answer that stands for a quarantined node, which the client did not ask because the node may have lost state (PROTOCOL §5).
     *
     * @param remainingMillis how long the quarantine lasts, in milliseconds
     */
    record Quarantined(long remainingMillis) implements AcquireAnswer {}
}
