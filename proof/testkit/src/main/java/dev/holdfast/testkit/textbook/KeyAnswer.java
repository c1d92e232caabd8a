package dev.holdfast.testkit.textbook;

/** What a node says to a command about a key. */
public enum KeyAnswer {
    /** It was done. */
    YES,
    /** It was not done, and the node says so. */
    NO,
    /** The connection broke or the node is unwell: it may have been done or not. */
    UNKNOWN,
}
