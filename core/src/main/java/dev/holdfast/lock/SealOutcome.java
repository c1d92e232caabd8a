package dev.holdfast.lock;

/** The outcome of sealing a lock. In every case the caller does not hold the lock any more. */
public enum SealOutcome {
    /** A majority of nodes has sealed the lock, and the lease was held until then: no other client did the work meanwhile. */
    SEALED,
    /**
     * A majority of nodes has sealed the lock, but the lease had ended before at too many of them. Another client may have done the work too, may be doing it, or may
     * still be granted the lock with votes that are older than the seal.
     */
    SEALED_LATE,
    /**
     * No majority of nodes confirmed it in time. The client goes on to notify the others in the background for one ttl. Until then another client may get the lock, if a
     * majority grants it before a sealed node answers.
     */
    UNCONFIRMED,
    /** The lease was released before, so nothing is sealed. */
    RELEASED_BEFORE,
}
