package dev.holdfast.server;

import dev.holdfast.server.caller.Permission;

/** A right that a token grants. No right includes another. */
public enum Right {
    /** The right to inspect: status, list, nodes, events and metrics. */
    READ(Permission.READ),
    /** The right to acquire locks, and to extend, release and seal the acquired leases. */
    ACQUIRE(Permission.ACQUIRE),
    /** The right to break the leases of other clients, to bootstrap a set of servers, and to change or back up a cluster. */
    ADMIN(Permission.ADMIN);

    /** The permission of the same name; the parts of the server do not depend on settings. */
    final Permission permission;

    Right(Permission permission) {
        this.permission = permission;
    }
}
