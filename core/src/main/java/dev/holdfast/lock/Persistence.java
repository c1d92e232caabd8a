package dev.holdfast.lock;

/** What a node keeps over a restart, as far as it says so. Locks need none of it (PROTOCOL §5); seals and values do. */
public enum Persistence {
    /** The node does not say. */
    UNKNOWN,
    /** Nothing reliable: a restart loses everything, or everything since the last snapshot. */
    NONE,
    /** Seals, but no values. */
    SEALS,
    /** Everything; a crash may lose the last moments before it. */
    ALL,
}
