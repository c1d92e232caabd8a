package dev.holdfast.simulator;

/** What is counted in a schedule. */
public enum Count {
    /** Attempts to get a lock. */
    ATTEMPTS,
    /** Attempts that got it. */
    ACQUISITIONS,
    /** Those of them that got a lease from another turn of the same client. */
    HAND_OVERS,
    /** Those of them that found a lease of their client's that lingered. */
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
    /** The same, taken by a store that looks at the token. */
    STALE_WRITES_PAST_THE_TOKEN,
    /** Writes that a store which looks at the token refused. */
    REFUSED_WRITES,
}
