package dev.holdfast.observe;

import java.time.Duration;

/**
 * The end of a holder's lease.
 *
 * @param how how it ended
 * @param held how long the holder had it
 * @param remaining how much longer it would have been valid; zero if it had expired
 */
public record LeaseEnd(How how, Duration held, Duration remaining) {

    /** How a lease ended. */
    public enum How {
        /** Its holder released it in time. */
        RELEASED,
        /** Its holder released it in time and declared the work done. */
        SEALED,
        /** It was lost, or had ended when its holder released it. */
        LOST,
        /** Its client was closed, and the nodes keep it for the time of {@link dev.holdfast.lock.Lease#releaseAfter}. */
        KEPT,
    }
}
