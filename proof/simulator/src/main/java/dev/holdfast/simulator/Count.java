package dev.holdfast.simulator;

/** The events that a schedule counts. */
public enum Count {
    /** Attempts to acquire a lock. */
    ATTEMPTS,
    /** Attempts that acquired the lock. */
    ACQUISITIONS,
    /** Acquisitions that received a lease from another turn of the same client. */
    HAND_OVERS,
    /** Acquisitions that found a lingering lease of their client. */
    LINGERED,
    /** Requests for more tokens under a lease. */
    RAISES,
    /** Leases that were lost. */
    LOSSES,
    /** Confirmed extensions that the user asked for. */
    EXTENSIONS,
    /** Leases that a client has adopted from another one. */
    ADOPTIONS,
    /** Values that were confirmed as written. */
    VALUES_WRITTEN,
    /** Seals that were confirmed. */
    SEALS,
    /** Writes that were forced to a node's disk. */
    FORCED,
    /** Writes that a node's disk rejected, or stored only in part. */
    NOT_FORCED,
    /** Records that a node's disk lacks no promise. */
    BOOTSTRAPPED,
    /** Changes of the leader of a cluster. */
    LEADER_CHANGES,
    /** Messages that were sent. */
    MESSAGES,
    /** Faults that struck. */
    FAULTS,
    /** Leases that were granted while the holder of a conflicting lease believed that lease to be valid. */
    DOUBLE_HOLDERS,
    /** Writes, whether they were accepted or not. */
    WRITES,
    /** Writes that came after a write of a later conflicting holder, at a store that does not compare tokens. */
    STALE_WRITES,
    /** Stale writes that a store accepted although it compares tokens. */
    STALE_WRITES_PAST_THE_TOKEN,
    /** Writes that were rejected by a store that compares tokens. */
    REFUSED_WRITES,
}
