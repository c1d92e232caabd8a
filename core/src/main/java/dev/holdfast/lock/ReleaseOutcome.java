package dev.holdfast.lock;

/** The outcome of releasing a lease. In every case the caller does not hold it any more. */
public enum ReleaseOutcome {
    /** The lease was held until now, and the lock is free for others. */
    RELEASED,
    /** The lease had ended before: it was lost, it expired, or the nodes no longer held a vote for it. Others may have held the lock since. */
    EXPIRED,
    /**
     * No majority of nodes confirmed it in time. As far as this client can tell, the lease was held until now. The client goes on to notify the nodes in the
     * background, and they free the lock by themselves at the end of its ttl at the latest.
     */
    UNCONFIRMED,
}
