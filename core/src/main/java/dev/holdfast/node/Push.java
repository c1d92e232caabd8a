package dev.holdfast.node;

import org.jspecify.annotations.Nullable;

/** What a node tells a client unasked (PROTOCOL §3). Sent to the owner's client. */
public sealed interface Push {

    String resource();

    /** Whose vote this is about; its client part is the address. */
    OwnerId owner();

    /** The fence of that vote. */
    long fence();

    /** The lock's value, if there is one. */
    @Nullable
    LockValue value();

    /** The owner's place in the queue has become a vote. */
    record Granted(
            String resource,
            OwnerId owner,
            long fence,
            @Nullable LockValue value) implements Push {

        /** Where there is no value. */
        public Granted(String resource, OwnerId owner, long fence) {
            this(resource, owner, fence, null);
        }
    }

    /** Somebody waits behind the owner's vote. */
    record Contended(
            String resource,
            OwnerId owner,
            long fence,
            Ticket waiter,
            @Nullable LockValue value) implements Push {

        /** Where there is no value. */
        public Contended(String resource, OwnerId owner, long fence, Ticket waiter) {
            this(resource, owner, fence, waiter, null);
        }
    }

    /** Tells a listener. */
    default void deliverTo(NodeListener listener) {
        if (this instanceof Contended contended) {
            listener.contended(resource(), owner(), fence(), contended.waiter(), value());
        } else {
            listener.granted(resource(), owner(), fence(), value());
        }
    }
}
