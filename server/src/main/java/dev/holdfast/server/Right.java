package dev.holdfast.server;

/** What a token allows. None includes another. */
public enum Right {
    /** To look: status, list, nodes, events, metrics. */
    READ,
    /** To acquire locks, and to extend, release and seal what was acquired. */
    ACQUIRE,
    /** To break the leases of others. */
    ADMIN,
}
