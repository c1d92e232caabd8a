package dev.holdfast.server.client;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of a cluster as one node: it keeps a connection to each server, and sends each request to the server that leads. Thread-safe.
 *
 * <p>While there is no leader, and when the leader changes under a request, the answer is {@link Unavailable}. When another server leads, the node
 * reports itself as available, and the client re-sends its requests under the same owner ids.
 */
public final class ClusterNode implements LockNode {

    private final String name;
    private final NodeListener listener;
    private final List<Server> servers = new ArrayList<>();
    private volatile @Nullable Server leader;
    private volatile String problem = "not connected yet";
    private volatile boolean closed;
    private @Nullable String cluster; // guarded by this, as are the fields of servers

    private ClusterNode(String name, NodeListener listener) {
        this.name = name;
        this.listener = listener;
    }

    /**
     * Connects a client to the servers of a cluster.
     *
     * @param name the name of the node
     * @param listener receives pushes, and learns when the cluster has and loses a leader
     * @param servers connect to one server each. A connection must be available while its server leads, and unavailable while it does not
     */
    public static ClusterNode open(String name, NodeListener listener, List<Function<NodeListener, LockNode>> servers) {
        ClusterNode node = new ClusterNode(name, listener);
        synchronized (node) { // notices wait until all connections are known
            for (Function<NodeListener, LockNode> connecting : servers) {
                Server server = node.new Server();
                node.servers.add(server);
                server.connection = connecting.apply(server);
            }
        }
        return node;
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
        return send(LockNode::status, NodeStatus.unreachable(name, NodeStatus.State.DOWN, problem()))
                .thenApply(status -> new NodeStatus(
                        name,
                        status.state(),
                        status.detail(),
                        status.roundTrip(),
                        status.quarantine(),
                        status.server()));
    }

    private String problem() {
        return closed ? "closed" : problem;
    }

    private Unavailable none() {
        return new Unavailable(problem(), false);
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
    public void afterReading(Runnable task) {
        Server now = leader;
        LockNode connection = now == null ? null : now.connection;
        if (connection == null) {
            task.run();
        } else {
            connection.afterReading(task);
        }
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

    /** Reports that no server leads, once every server has given its reason. */
    private void tellUnavailable() {
        if (leader != null || servers.stream().anyMatch(server -> server.problem == null)) {
            return;
        }
        problem = problems();
        if (servers.stream().allMatch(server -> server.refused)) {
            listener.refused(problem);
        } else {
            listener.unavailable(problem);
        }
    }

    /** Returns the reasons of all servers that have given one. */
    private String problems() {
        return servers.stream()
                .map(server -> server.problem)
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /**
     * The listener for one server. It notifies the client under the lock, so that the last notice is that of the present state.
     */
    private final class Server implements NodeListener {

        private volatile @Nullable LockNode connection;
        private @Nullable String problem;
        private boolean refused;

        @Override
        public void pushed(Push push) {
            if (leader == this) { // a server that follows may push the same
                listener.pushed(push);
            }
        }

        @Override
        public void available(String serverId) {
            synchronized (ClusterNode.this) {
                if (cluster != null && !cluster.equals(serverId)) {
                    refused("its servers belong to two clusters, " + cluster + " and " + serverId);
                    return;
                }
                cluster = serverId;
                leader = this;
                problem = null;
                refused = false;
                listener.identified(serverId);
                listener.available(serverId);
            }
        }

        @Override
        public void unavailable(String reason) {
            ended(reason, false);
        }

        @Override
        public void refused(String reason) {
            ended(reason, true);
        }

        private void ended(String reason, boolean setup) {
            synchronized (ClusterNode.this) {
                problem = reason;
                refused = setup;
                if (leader == this) {
                    leader = null;
                    ClusterNode.this.problem = problems();
                    listener.unavailable(ClusterNode.this.problem);
                } else {
                    tellUnavailable();
                }
            }
        }
    }
}
