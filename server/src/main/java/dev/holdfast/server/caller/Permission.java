package dev.holdfast.server.caller;

/** A permission of a caller. No permission includes another. A token's {@code Right} of the same name grants it. */
public enum Permission {
    /** The permission to inspect: status, list, nodes, events and metrics. */
    READ,
    /** The permission to acquire locks, and to extend, release and seal the acquired leases. */
    ACQUIRE,
    /** The permission to break the leases of other clients. */
    ADMIN,
}
