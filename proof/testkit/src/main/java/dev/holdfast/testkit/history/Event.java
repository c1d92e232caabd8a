package dev.holdfast.testkit.history;

import java.util.List;

/** One thing that happened. All times are nanoseconds of the clock that all clients of a history share. */
public sealed interface Event {

    /** Returns when it happened. */
    long nanos();

    /** An event of an attempt. */
    sealed interface OfAttempt extends Event {

        /** Returns the attempt. */
        AttemptId who();
    }

    /** It asks for the lock; recorded before anything is sent. */
    record Asked(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It wants the lock together with others, some of which it may acquire before this one; recorded after it asked.
     */
    record Together(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It wants one of the permits of a semaphore, which has the name of the lock; recorded after it asked.
     *
     * @param permits the number of permits, 1 or more
     */
    record OneOf(long nanos, AttemptId who, long permits) implements OfAttempt {}

    /**
     * A majority of nodes has confirmed that the work that the lock protects is done and must never be repeated.
     *
     * @param untilNanos how long the nodes remember it at least
     */
    record Sealed(long nanos, AttemptId who, long untilNanos) implements OfAttempt {}

    /** It learns that it is queued at a majority of the nodes. */
    record Queued(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It holds the lock.
     *
     * @param token the fencing token; 0 if there is none
     * @param validUntilNanos when the lease ends by the client's own clock unless it is extended
     */
    record Got(long nanos, AttemptId who, long token, long validUntilNanos) implements OfAttempt {}

    /** It learns that the lease was extended, and until when. */
    record Extended(long nanos, AttemptId who, long validUntilNanos) implements OfAttempt {}

    /**
     * It wrote to the resource that the lock protects. The resource counts its updates: the value read, plus one.
     *
     * @param row the copy
     * @param version how many writes this copy has accepted, including this one
     * @param value the value written; less than the version if updates were lost
     */
    record Wrote(long nanos, AttemptId who, ResourceCopy row, long version, long value) implements OfAttempt {}

    /** The resource rejected its write, or its read before the write, because of its token. */
    record Refused(long nanos, AttemptId who) implements OfAttempt {}

    /** It releases the lease; recorded before anything is sent. */
    record Releasing(long nanos, AttemptId who) implements OfAttempt {}

    /** It learned that the nodes confirmed its release while it still held the lease. */
    record Released(long nanos, AttemptId who) implements OfAttempt {}

    /** It was notified that the nodes no longer have its vote. */
    record Taken(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It found this value at its grant: which lease wrote it, by token, and as which of its writes.
     *
     * @param token the token of the writer; 0 if there is no value
     * @param number the number of the write under that lease, from 1
     */
    record Read(long nanos, AttemptId who, long token, long number) implements OfAttempt {}

    /** It writes a value for later holders, the one with this number under its lease; recorded before anything is sent. */
    record Writing(long nanos, AttemptId who, long number) implements OfAttempt {}

    /** It learned that the nodes keep the value with this number. */
    record Written(long nanos, AttemptId who, long number) implements OfAttempt {}

    /**
     * It asked for the state of the lock, without wanting the lock, and this is the answer.
     *
     * @param askedNanos when it asked
     * @param tokens the tokens of all holders
     */
    record Looked(long nanos, AttemptId who, long askedNanos, List<Long> tokens) implements OfAttempt {
        public Looked {
            tokens = List.copyOf(tokens);
        }
    }

    /** It was notified that the lease is lost, or found that it had ended. */
    record Lost(long nanos, AttemptId who) implements OfAttempt {}

    /** It did not acquire the lock, and as far as it knows, no trace of it is left on the nodes. */
    record GaveUp(long nanos, AttemptId who) implements OfAttempt {}

    /** A client was killed: its open attempts have no end. The killer records it. */
    record Killed(long nanos, String client) implements Event {}

    /**
     * A key still existed after all clients had ended and everything must have expired. The checker of the keys records
     * it.
     */
    record Left(long nanos, String node, String key) implements Event {}
}
