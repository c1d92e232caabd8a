package dev.holdfast.server;

import dev.holdfast.server.caller.Permission;

/** What a token allows. None includes another. */
public enum Right {
    /** To look: status, list, nodes, events, metrics. */
    READ(Permission.READ),
    /** To acquire locks, and to extend, release and seal what was acquired. */
    ACQUIRE(Permission.ACQUIRE),
    /** To break the leases of others. */
    ADMIN(Permission.ADMIN);

    /** What the server itself calls it: its parts know no settings. */
    final Permission permission;

    Right(Permission permission) {
        this.permission = permission;
    }
}
