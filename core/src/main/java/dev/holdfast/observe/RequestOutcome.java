package dev.holdfast.observe;

/** The outcome of a request to a node. */
public enum RequestOutcome {
    /** The node granted or extended its vote. */
    GRANTED,
    /** The request waits in the node's queue. */
    QUEUED,
    /** The node refused: another client has its vote or is ahead in the queue, or there is no vote to extend. */
    DENIED,
    /** The node refused: the work was declared done. */
    SEALED,
    /** The node may have lost state, and its vote does not count yet (PROTOCOL §5). */
    QUARANTINED,
    /** The vote was released. */
    RELEASED,
    /** There was no vote to release. */
    ABSENT,
    /** The node is unreachable, must not be used, or failed. */
    UNAVAILABLE,
    /** The node did not answer in time. */
    TIMEOUT;
}
