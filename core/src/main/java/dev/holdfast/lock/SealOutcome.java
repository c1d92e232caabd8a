package dev.holdfast.lock;

/** The outcome of sealing a lock. In every case the caller no longer holds the lock. */
public enum SealOutcome {
    /** A majority of nodes has sealed the lock, and the caller held the lease until then. No other client did the work in the meantime. */
    SEALED,
    /**
     * A majority of nodes has sealed the lock, but at too many of them the lease had already ended. Another client may have done the work too, or may
     * be doing it now. Another client may also still acquire the lock with votes that are older than the seal.
     */
    SEALED_LATE,
    /**
     * No majority of nodes confirmed the seal in time. The client keeps notifying the other nodes in the background for one ttl. Until then another
     * client gets the lock if a majority grants it before a sealed node answers.
     */
    UNCONFIRMED,
    /** The lease was released before the call, so the nodes sealed nothing. */
    RELEASED_BEFORE,
}
