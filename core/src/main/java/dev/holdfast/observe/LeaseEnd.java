package dev.holdfast.observe;

import java.time.Duration;

/**
 * The end of a holder's lease.
 *
 * @param how the way in which the lease ended
 * @param held how long the holder had the lease
 * @param remaining how much longer the lease would have been valid; zero if it had expired
 */
public record LeaseEnd(How how, Duration held, Duration remaining) {

    /** The way in which a lease ended. */
    public enum How {
        /** The holder released the lease in time. */
        RELEASED,
        /** The holder released the lease in time and declared the work done. */
        SEALED,
        /** The lease was lost, or had ended when its holder released it. */
        LOST,
        /** The client was closed, and the nodes keep the lease for the time of {@link dev.holdfast.lock.Lease#releaseAfter}. */
        KEPT,
    }
}
