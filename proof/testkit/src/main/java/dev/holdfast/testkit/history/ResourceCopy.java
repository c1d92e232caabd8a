package dev.holdfast.testkit.history;

/** Which of the two copies of a protected resource is written. */
public enum ResourceCopy {
    /** The one that checks the fencing token. */
    GUARDED,
    /** The one that takes every write. */
    UNGUARDED,
}
