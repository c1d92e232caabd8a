package dev.holdfast.lock;

/** The kinds of state that a node keeps across a restart, according to the node. Locks need no persistence (PROTOCOL §5); seals and values do. */
public enum Persistence {
    /** The node does not say. */
    UNKNOWN,
    /** The node keeps nothing reliably: a restart loses everything, or everything since the last snapshot. */
    NONE,
    /** The node keeps seals, but no values. */
    SEALS,
    /** The node keeps everything, but a crash may lose the last moments before it. */
    ALL,
}
