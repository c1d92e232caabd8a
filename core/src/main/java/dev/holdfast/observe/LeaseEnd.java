package dev.holdfast.observe;

import java.time.Duration;

/**
 * How a holder's time with a lease ended.
 *
 * @param how by what
 * @param held how long the holder had it
 * @param remaining how much longer it would have been valid; zero if it was over
 */
public record LeaseEnd(How how, Duration held, Duration remaining) {

    /** By what a lease ended. */
    public enum How {
        /** Its holder gave it back in time. */
        RELEASED,
        /** Its holder gave it back in time and declared the work done. */
        SEALED,
        /** It was lost, or over when its holder gave it back. */
        LOST,
        /** Its client was closed, and its nodes are to keep it for some more time. */
        KEPT,
    }
}
