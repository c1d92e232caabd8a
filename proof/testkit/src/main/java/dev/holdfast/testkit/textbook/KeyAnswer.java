package dev.holdfast.testkit.textbook;

/** A node's answer to a command about a key. */
public enum KeyAnswer {
    /** The node did it. */
    YES,
    /** The node did not do it, and says so. */
    NO,
    /** The connection broke or the node is unhealthy: the node may have done it or not. */
    UNKNOWN,
}
