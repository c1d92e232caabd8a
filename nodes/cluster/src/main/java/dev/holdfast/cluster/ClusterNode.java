package dev.holdfast.cluster;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of a cluster as one node: it sends each request to the server that leads. Thread-safe.
 *
 * <p>While there is no leader, and when the leader changes under a request, the answer is {@link Unavailable}. When another server leads, the node
 * reports itself as available, and the client re-sends its requests under the same owner ids.
 */
public final class ClusterNode implements LockNode {

    private final String name;
    private final NodeListener listener;
    private final List<Server> servers;
    private volatile @Nullable Server leader;
    private volatile boolean closed;

    private ClusterNode(String client, NodeListener listener, List<ClusterServer> servers) {
        this.name = "cluster:" + servers.get(0).cluster();
        this.listener = listener;
        this.servers = servers.stream().map(server -> new Server()).toList();
        for (int i = 0; i < servers.size(); i++) {
            this.servers.get(i).connection = servers.get(i).connect(client, this.servers.get(i));
        }
    }

    /**
     * Connects a client to all servers of a cluster that run in this process.
     *
     * @param client the client part of its owner ids
     * @param listener receives pushes, and learns when the cluster has and loses a leader
     * @param servers the servers, one or more
     */
    public static ClusterNode connect(String client, NodeListener listener, List<ClusterServer> servers) {
        return new ClusterNode(client, listener, servers);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return send(node -> node.acquire(request), none());
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return send(node -> node.release(request), none());
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return send(node -> node.inspect(resource), none());
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return send(node -> node.list(prefix, limit), none());
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        return send(LockNode::status, NodeStatus.unreachable(name, NodeStatus.State.DOWN, none().reason()))
                .thenApply(status -> new NodeStatus(
                        name,
                        status.state(),
                        status.detail(),
                        status.roundTrip(),
                        status.quarantine(),
                        status.server()));
    }

    private Unavailable none() {
        return new Unavailable(
                closed ? "closed" : "the cluster has no leader that a majority of its servers follows", false);
    }

    private <A> CompletionStage<A> send(Function<LockNode, CompletionStage<A>> request, A without) {
        Server now = leader;
        LockNode connection = now == null || closed ? null : now.connection;
        return connection == null ? CompletableFuture.completedFuture(without) : request.apply(connection);
    }

    @Override
    public Persistence persistence() {
        return Persistence.ALL;
    }

    @Override
    public void close() {
        closed = true;
        for (Server server : servers) {
            LockNode connection = server.connection;
            if (connection != null) {
                connection.close();
            }
        }
    }

    /** The listener for one server. */
    private final class Server implements NodeListener {

        private volatile @Nullable LockNode connection;

        @Override
        public void pushed(Push push) {
            if (leader == this) { // the other servers apply the same entry, and push the same
                listener.pushed(push);
            }
        }

        @Override
        public void identified(String serverId) {
            listener.identified(serverId);
        }

        @Override
        public void available(String serverId) {
            leader = this;
            listener.available(serverId);
        }

        @Override
        public void unavailable(String reason) {
            if (leader == this) {
                leader = null;
                listener.unavailable(reason);
            }
        }

        @Override
        public void refused(String reason) {
            listener.refused(reason);
        }
    }
}
