package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A listener for pushes and connection changes of a node. The node calls it on its own threads; a listener must return at once and not block.
 *
 * <p>Pushes are hints: losing, delaying or repeating one costs time, never safety (PROTOCOL §3). The listener decides whether the vote of a quarantined node
 * counts, and releases the vote if it does not (PROTOCOL §5).
 */
public interface NodeListener {

    /** Receives a push for an owner of this client. */
    void pushed(Push push);

    /**
     * Receives the identity of the server to which the node is about to send requests, before the first request on a new connection. A client counts
     * the votes of nodes only while it knows that they are different servers, so a node whose server may change must call this; for other nodes
     * {@link #available} suffices.
     *
     * @param serverId the identity of the server, such as a Redis run id
     */
    default void identified(String serverId) {}

    /**
     * Receives the notice that the node has connected, for the first time or again.
     *
     * @param serverId the identity of the server, such as a Redis run id
     */
    void available(String serverId);

    /** Receives the notice that the node is unreachable; it keeps trying to connect. */
    void unavailable(String reason);

    /**
     * Receives the notice that the node must not be used as it is configured: it is a replica, or it rejects the credentials.
     *
     * @param reason what is wrong and how to correct it, for people
     */
    void refused(String reason);

    /**
     * Receives the notice that the node's clock and this client's clocks no longer agree: one of them stepped, or this client did not run for that time.
     *
     * @param micros by how much the node's clock moved against this client's, in microseconds; positive if it went forward
     * @param since a moment before the step
     * @return completes once the other nodes have been asked: true if the node's clock stepped, false if this client's clocks did
     */
    default CompletionStage<Boolean> clockStepped(long micros, Moment since) {
        return CompletableFuture.completedStage(true);
    }
}
