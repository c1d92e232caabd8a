package dev.holdfast.observe;

/** The outcome of a request to a node. */
public enum RequestOutcome {
    /** The node granted or extended its vote. */
    GRANTED,
    /** The request waits in the node's queue. */
    QUEUED,
    /** The node refused: another client has the node's vote or is ahead in the queue, or there is no vote to extend. */
    DENIED,
    /** The node refused: the lock is sealed, because a client declared the work done. */
    SEALED,
    /** The node may have lost state, so its vote does not count yet (PROTOCOL §5). */
    QUARANTINED,
    /** The node released the vote. */
    RELEASED,
    /** The node had no vote to release. */
    ABSENT,
    /** The node is unreachable, has failed, or is not fit for use as configured. */
    UNAVAILABLE,
    /** The node did not answer in time. */
    TIMEOUT;
}
