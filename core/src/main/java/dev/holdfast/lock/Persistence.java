package dev.holdfast.lock;

/** What a node keeps when it restarts, as far as it says so. Locks need none of it (PROTOCOL §5); seals and values do. */
public enum Persistence {
    /** The node does not say. */
    UNKNOWN,
    /** Nothing that can be counted on: all of it, or what was written since the last snapshot, is lost. */
    NONE,
    /** Seals, and no values. */
    SEALS,
    /** Everything, but for the last moments before a crash perhaps. */
    ALL,
}
