package dev.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * What a node says to an {@link AcquireRequest}: yes ({@link Granted}), no ({@link Queued}, {@link Denied}, {@link Sealed}), or
 * nothing that counts as either ({@link Quarantined}, {@link Unavailable}).
 */
public sealed interface AcquireAnswer
        permits AcquireAnswer.Granted,
                AcquireAnswer.Queued,
                AcquireAnswer.Denied,
                AcquireAnswer.Sealed,
                AcquireAnswer.Quarantined,
                Unavailable {

    /**
     * The latest ticket time at this resource as far as the node knows, in microseconds, 0 if it tells none. The client's own
     * next ticket will be above it (PROTOCOL §1).
     */
    default long latestTicketTime() {
        return 0;
    }

    /**
     * The longest ttl of a vote that the node remembers for this resource, in milliseconds, if it is longer than the request's; else 0. A
     * client with a shorter ttl quarantines nodes for this resource by the longer one (PROTOCOL §5).
     */
    default long longestTtlMillis() {
        return 0;
    }

    /**
     * The owner has the node's vote.
     *
     * @param fence the fence of the vote, 0 in mode NL
     * @param contender the earliest waiter that this vote holds up, if any
     * @param value the lock's value, if there is one; told only to a request without a floor
     */
    record Granted(
            long fence,
            @Nullable Ticket contender,
            long latestTicketTime,
            @Nullable LockValue value,
            long longestTtlMillis)
            implements AcquireAnswer {

        /** From a node that remembers no longer ttl. */
        public Granted(long fence, @Nullable Ticket contender, long latestTicketTime, @Nullable LockValue value) {
            this(fence, contender, latestTicketTime, value, 0);
        }

        /** Where there is no value. */
        public Granted(long fence, @Nullable Ticket contender, long latestTicketTime) {
            this(fence, contender, latestTicketTime, null);
        }
    }

    /**
     * The owner stands in line.
     *
     * @param remainingMillis when asking again may help: the time until the first of the votes that others hold ends; 0 if there
     *     is none (the grant is under way); -1 if the holder has no expiry
     * @param fence the node's fence before it looked whom to grant: a grant that bears no more is older than this answer
     * @param place the place in the queue, 1 for the first
     * @param blocker a holder in the way, if any
     */
    record Queued(
            long remainingMillis,
            long fence,
            int place,
            @Nullable Blocker blocker,
            long latestTicketTime,
            long longestTtlMillis)
            implements AcquireAnswer {

        /** From a node that remembers no longer ttl. */
        public Queued(long remainingMillis, long fence, int place, @Nullable Blocker blocker, long latestTicketTime) {
            this(remainingMillis, fence, place, blocker, latestTicketTime, 0);
        }
    }

    /**
     * The owner has no vote here and does not stand in line.
     *
     * @param remainingMillis as for {@link Queued}
     * @param reason why
     * @param blocker a holder in the way, if any
     */
    record Denied(
            long remainingMillis,
            Reason reason,
            @Nullable Blocker blocker,
            long latestTicketTime,
            long longestTtlMillis)
            implements AcquireAnswer {

        /** From a node that remembers no longer ttl. */
        public Denied(long remainingMillis, Reason reason, @Nullable Blocker blocker, long latestTicketTime) {
            this(remainingMillis, reason, blocker, latestTicketTime, 0);
        }

        /** Why there is no vote, in the order in which a node looks. */
        public enum Reason {
            /** The owner had been released before its request came. */
            BURIED,
            /** A floor was given, and the vote it should raise or prolong is not there and can't be made anew. */
            NO_VOTE,
            /** A holder is in the way. */
            HELD,
            /** No holder is in the way, but others came first. */
            WAITERS,
        }
    }

    /**
     * The work under this name was declared done.
     *
     * @param seal by whom, and for how long
     */
    record Sealed(Seal seal) implements AcquireAnswer {}

    /**
     * The node was not asked, since it may have lost its memory (PROTOCOL §5).
     *
     * @param remainingMillis how long that lasts
     */
    record Quarantined(long remainingMillis) implements AcquireAnswer {}
}
