package dev.holdfast.lock;

/** The outcome of sealing a lock. In every case the caller no longer holds the lock. */
public enum SealOutcome {
    /** A majority of nodes has sealed the lock, and the caller held the lease until then. No other client did the work meanwhile. */
    SEALED,
    /**
     * A majority of nodes has sealed the lock, but the lease had ended before at too many of them. Another client may have done the work too, or may
     * be doing it now. It may also still acquire the lock with votes that are older than the seal.
     */
    SEALED_LATE,
    /**
     * No majority of nodes confirmed the seal in time. The client goes on to notify the other nodes in the background for one ttl. Until then another
     * client gets the lock if a majority grants it before a sealed node answers.
     */
    UNCONFIRMED,
    /** The lease was released before the call, so the nodes sealed nothing. */
    RELEASED_BEFORE,
}
