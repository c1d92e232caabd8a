package dev.holdfast.node;

/** What a node tells a client unasked (PROTOCOL §3). Sent to the owner's client. */
public sealed interface Push {

    String resource();

    /** Whose vote this is about; its client part is the address. */
    OwnerId owner();

    /** The fence of that vote. */
    long fence();

    /** The owner's place in the queue has become a vote. */
    record Granted(String resource, OwnerId owner, long fence) implements Push {}

    /** Somebody waits behind the owner's vote. */
    record Contended(String resource, OwnerId owner, long fence, Ticket waiter) implements Push {}

    /** Tells a listener. */
    default void deliverTo(NodeListener listener) {
        if (this instanceof Contended contended) {
            listener.contended(resource(), owner(), fence(), contended.waiter());
        } else {
            listener.granted(resource(), owner(), fence());
        }
    }
}
