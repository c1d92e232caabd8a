package dev.holdfast.node;

import dev.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells a client unasked. Called on the node's own threads: returns at once and does not block.
 *
 * <p>Pushes are hints: losing, delaying or repeating one costs time, never safety (PROTOCOL §3). The listener
 * decides whether the vote of a quarantined node counts, and releases it if not (PROTOCOL §5).
 */
public interface NodeListener {

    /** The owner's place in the queue has become a vote; the lock's value is told with it, if there is one. */
    void granted(String resource, OwnerId owner, long fence, @Nullable LockValue value);

    /** Somebody waits behind the owner's vote, which bears this fence; the lock's value is told with it, if there is one. */
    void contended(String resource, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value);

    /**
     * The node is about to send its requests to this server: called on the way from one connection to the next, before the first request
     * goes out on the new one. A client counts votes of a server only while it knows that they are from one server each, so a node whose
     * server may change must call this; for one that never does, {@link #available} stands for it.
     *
     * @param serverId what tells this server from every other one, such as a Redis run id
     */
    default void identified(String serverId) {}

    /**
     * The node can be asked: it has connected, or connected again.
     *
     * @param serverId what tells this server from every other one, such as a Redis run id
     */
    void available(String serverId);

    /** The node can't be asked at present; it goes on trying to connect. */
    void unavailable(String reason);

    /**
     * The node must not be used at all, because of how things are set up: it is a replica, it refuses the credentials.
     *
     * @param reason what is wrong, and what would be right
     */
    void refused(String reason);

    /**
     * The node's clock and this client's clocks no longer agree: one of them stepped, or this client did not run for that time.
     *
     * @param micros by how much the node's clock moved against this client's, positive if it went forward
     * @param since the step came later
     * @return whether the step is the node's own, once the other nodes have been asked; false if it is this client's
     */
    default CompletionStage<Boolean> clockStepped(long micros, Moment since) {
        return CompletableFuture.completedStage(true);
    }
}
