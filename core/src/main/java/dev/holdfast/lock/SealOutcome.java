package dev.holdfast.lock;

/** What came of sealing a lock. In every case the caller holds it no longer. */
public enum SealOutcome {
    /** A majority of nodes keeps it closed, and it was held until then: nobody else did the work meanwhile. */
    SEALED,
    /**
     * A majority of nodes keeps it closed, but the lease had ended before at too many of them: another may have done the work too, be at it, or
     * be granted the lock with votes that are older than the seal.
     */
    SEALED_LATE,
    /**
     * Fewer nodes than a majority answered in time. The others are told in the background for one ttl; whoever asks meanwhile may get the lock
     * if a majority grants it before one that is sealed answers.
     */
    UNKNOWN,
    /** The lease had been released before, so nothing is sealed. */
    RELEASED_BEFORE,
}
