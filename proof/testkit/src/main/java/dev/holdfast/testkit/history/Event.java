package dev.holdfast.testkit.history;

/** One thing that happened. All times are nanoseconds of the clock that all clients of a history share. */
public sealed interface Event {

    /** Returns when it happened. */
    long nanos();

    /** What an attempt did. */
    sealed interface OfAttempt extends Event {

        /** Returns the attempt. */
        AttemptId who();
    }

    /** It asks for the lock; written before anything is sent. */
    record Asked(long nanos, AttemptId who) implements OfAttempt {}

    /** It wants the lock together with others, which it may get before this one; written after it asked. */
    record Together(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It wants one of so many permits of a semaphore, which goes by the name of the lock; written after it asked.
     *
     * @param permits 1 or more
     */
    record OneOf(long nanos, AttemptId who, long permits) implements OfAttempt {}

    /**
     * A majority of nodes has confirmed that the work that the lock protects is done for good.
     *
     * @param untilNanos how long the nodes remember it at least
     */
    record Sealed(long nanos, AttemptId who, long untilNanos) implements OfAttempt {}

    /** It learns that it stands in line at a majority of the nodes. */
    record Queued(long nanos, AttemptId who) implements OfAttempt {}

    /**
     * It holds the lock.
     *
     * @param token the fencing token; 0 if there is none
     * @param validUntilNanos when the lease ends by the client's own clock unless it is extended
     */
    record Got(long nanos, AttemptId who, long token, long validUntilNanos) implements OfAttempt {}

    /** It learns that the lease lasts longer, and until when. */
    record Extended(long nanos, AttemptId who, long validUntilNanos) implements OfAttempt {}

    /**
     * It wrote to the resource that the lock protects, which counts its updates: the value that was read, plus one.
     *
     * @param row the copy
     * @param version how many writes this copy has taken, this one included
     * @param value what was written; less than the version if updates were lost
     */
    record Wrote(long nanos, AttemptId who, ResourceCopy row, long version, long value) implements OfAttempt {}

    /** The resource refused its write, or its read before the write, for its token. */
    record Refused(long nanos, AttemptId who) implements OfAttempt {}

    /** It gives the lease back; written before anything is sent. */
    record Releasing(long nanos, AttemptId who) implements OfAttempt {}

    /** It was told that the lease is lost, or found that it had ended. */
    record Lost(long nanos, AttemptId who) implements OfAttempt {}

    /** It did not get the lock, and nothing of it is left as far as it can tell. */
    record GaveUp(long nanos, AttemptId who) implements OfAttempt {}

    /** A client was killed: what it had not ended has no end. Written by whoever did it. */
    record Killed(long nanos, String client) implements Event {}

    /** A key was still there after all clients had ended and everything must have expired. Written by whoever looked. */
    record Left(long nanos, String node, String key) implements Event {}
}
