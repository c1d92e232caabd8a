package dev.holdfast.server.caller;

/** What a caller may do. None includes another. A token's {@code Right} of the same name grants it. */
public enum Permission {
    /** To look: status, list, nodes, events, metrics. */
    READ,
    /** To acquire locks, and to extend, release and seal what was acquired. */
    ACQUIRE,
    /** To break the leases of others. */
    ADMIN,
}
