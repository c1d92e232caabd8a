package dev.holdfast.observe;

/** What came of a request to a node. */
public enum RequestOutcome {
    /** The node gave its vote, or let it last longer. */
    GRANTED,
    /** The request stands in the node's queue. */
    QUEUED,
    /** No vote: somebody else has it, or came first; or there is none to extend. */
    DENIED,
    /** No vote: the work was declared done. */
    SEALED,
    /** The node may have lost its memory, and does not vote yet (PROTOCOL §5). */
    QUARANTINED,
    /** The vote was given back. */
    RELEASED,
    /** There was nothing to give back. */
    ABSENT,
    /** The node can't be reached, must not be used, or failed. */
    UNAVAILABLE,
    /** No answer in time: neither yes nor no. */
    TIMEOUT;
}
