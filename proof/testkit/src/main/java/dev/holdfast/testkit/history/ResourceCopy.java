package dev.holdfast.testkit.history;

/** One of the two copies of a protected resource. */
public enum ResourceCopy {
    /** The copy that checks the fencing token. */
    GUARDED,
    /** The copy that accepts every write. */
    UNGUARDED,
}
