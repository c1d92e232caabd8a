package dev.holdfast.observe;

/** The kind of a request to a node. */
public enum NodeOperation {
    /** Requests a vote, or a position in the queue. */
    ACQUIRE,
    /** Extends a vote, or raises its fence. */
    EXTEND,
    /** Releases a vote. */
    RELEASE,
}
