package dev.holdfast.node;

import org.jspecify.annotations.Nullable;

/** A notification that a node sends to the owner's client without a request (PROTOCOL §3). */
public sealed interface Push {

    String resource();

    /** Returns the owner of the vote; its client part is the address of the push. */
    OwnerId owner();

    /** Returns the fence of that vote. */
    long fence();

    /** Returns the lock's value, or null if there is none. */
    @Nullable
    LockValue value();

    /** The notification that the owner's position in the queue has become a vote. */
    record Granted(
            String resource,
            OwnerId owner,
            long fence,
            @Nullable LockValue value) implements Push {}

    /** The notification that a waiter is blocked by the owner's vote. */
    record Contended(
            String resource,
            OwnerId owner,
            long fence,
            Ticket waiter,
            @Nullable LockValue value) implements Push {}
}
