package dev.holdfast.simulator;

/** The events that a schedule counts. */
public enum Count {
    /** Attempts to get a lock. */
    ATTEMPTS,
    /** Attempts that got it. */
    ACQUISITIONS,
    /** Acquisitions that got a lease from another turn of the same client. */
    HAND_OVERS,
    /** Acquisitions that found a lingering lease of their client. */
    LINGERED,
    /** Leases that asked for more tokens. */
    RAISES,
    /** Leases that were lost. */
    LOSSES,
    /** Extensions asked for by the user that were confirmed. */
    EXTENSIONS,
    /** Values that were confirmed as written. */
    VALUES_WRITTEN,
    /** Seals that were confirmed. */
    SEALS,
    /** Writes that were forced to a node's disk. */
    FORCED,
    /** Writes that a node's disk refused, or kept in part. */
    NOT_FORCED,
    /** Messages that were sent. */
    MESSAGES,
    /** Faults that struck. */
    FAULTS,
    /** Leases that were granted while a conflicting one believed itself valid. */
    DOUBLE_HOLDERS,
    /** Writes, whether they were accepted or not. */
    WRITES,
    /** Writes that came after one of a later conflicting holder, at a store that takes them all. */
    STALE_WRITES,
    /** Such writes that a store accepted although it compares tokens. */
    STALE_WRITES_PAST_THE_TOKEN,
    /** Writes that a store which compares tokens refused. */
    REFUSED_WRITES,
}
