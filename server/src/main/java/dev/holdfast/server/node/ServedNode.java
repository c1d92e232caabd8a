package dev.holdfast.server.node;

import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.server.client.NodeMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The node that a server offers to other clients as {@code holdfast://} (PROTOCOL §3). Thread-safe. */
public interface ServedNode extends AutoCloseable {

    /** Connects a client of another process to this server. */
    LockNode connect(String client, NodeListener listener);

    /**
     * Connects this server's own client.
     *
     * @param context the client and its settings
     */
    default LockNode open(NodeContext context) {
        return connect(context.client(), context.listener());
    }

    /** Returns the groups of locks whose requests this server carries out now. Clients hear of it in the notice that it leads. */
    default LockGroups groups() {
        return LockGroups.WHOLE;
    }

    /** Returns the answer to the first message of a client. */
    NodeMessage introduction();

    /**
     * Asks for the state of the node.
     *
     * @param connection the connection of the client that asks
     */
    CompletionStage<NodeMessage> status(LockNode connection);

    /** Notes that a client asks for a vote on this resource, or declares work on it done. */
    default void noteAsked(String resource) {}

    /** Returns whether the node is new; null if that is not known from its data. */
    default @Nullable Standing standing() {
        return null;
    }

    /**
     * Records that the node's data lack no promise, because its set of nodes has never given one. Only a node with a {@link #standing} has this method.
     *
     * @return completes on any thread once the record would survive a crash; exceptionally if it cannot be written
     */
    default CompletionStage<Void> bootstrap() {
        return CompletableFuture.failedStage(new UnsupportedOperationException("the node has no standing"));
    }

    /** Returns the cluster to which this server belongs; empty if it belongs to none. */
    default Optional<Cluster> cluster() {
        return Optional.empty();
    }

    /** Notes that clients can reach the server from now on. */
    default void opened() {}

    /** Prepares for {@link #close}, while this server still answers: another server takes over its part if there is one. */
    default void handOver() {}

    @Override
    void close();
}
