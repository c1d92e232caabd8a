package dev.holdfast.lock;

/** The outcome of releasing a lease. In every case the caller no longer holds the lease. */
public enum ReleaseOutcome {
    /** The caller held the lease until now, and the lock is free for other clients. */
    RELEASED,
    /**
     * The lease had ended before: it was lost, it expired, or the nodes no longer held a vote for it. Other clients may have held the lock since.
     */
    EXPIRED,
    /**
     * No majority of nodes confirmed the release in time. As far as this client can tell, it held the lease until now. The client keeps notifying the
     * nodes in the background. In any case, the nodes drop the lease when its ttl has passed.
     */
    UNCONFIRMED,
}
