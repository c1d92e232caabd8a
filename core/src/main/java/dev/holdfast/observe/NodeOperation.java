package dev.holdfast.observe;

/** What a node is asked for. */
public enum NodeOperation {
    /** A vote, or a place in the queue. */
    ACQUIRE,
    /** To let a vote last longer, or bear a larger fence. */
    EXTEND,
    /** To take a vote back. */
    RELEASE,
}
