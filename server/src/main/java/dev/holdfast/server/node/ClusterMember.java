package dev.holdfast.server.node;

import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterServer;
import dev.holdfast.cluster.ClusterStatus;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Unavailable;
import dev.holdfast.server.client.ClusterNode;
import dev.holdfast.server.client.NodeMessage;
import dev.holdfast.server.client.RemoteNodeProvider;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A server of a cluster as a node. It serves clients while it leads the cluster, and tells them when that changes. Thread-safe.
 *
 * <p>Only this class uses the cluster's classes, so a server without a cluster does not load them.
 */
public final class ClusterMember implements ServedNode {

    private final ClusterServer server;
    private final Timing timing;
    private final Map<String, String> uris;

    private ClusterMember(ClusterServer server, Timing timing, Map<String, String> uris) {
        this.server = server;
        this.timing = timing;
        this.uris = uris;
    }

    /**
     * Starts the server's part in the cluster. It does not wait for the other servers.
     *
     * @param uris the addresses of all servers for clients, {@code holdfast://host:port}, by name
     * @throws dev.holdfast.lock.HoldfastException if the server cannot use its data folder or its address
     */
    public static ClusterMember start(ClusterConfig config, Map<String, String> uris, Timing timing) {
        return new ClusterMember(ClusterServer.start(config, timing), timing, new TreeMap<>(uris));
    }

    /**
     * Connects this server's own client to the cluster: to this server without a detour, and to the others by their addresses.
     */
    @Override
    public LockNode open(NodeContext context) {
        List<Function<NodeListener, LockNode>> servers = new ArrayList<>();
        servers.add(listener -> server.connect(context.client(), listener));
        uris.forEach((name, uri) -> {
            if (!name.equals(server.name())) {
                servers.add(RemoteNodeProvider.serverOfCluster(uri, context));
            }
        });
        return ClusterNode.open("cluster:" + server.cluster(), context.listener(), servers);
    }

    @Override
    public Optional<CompletionStage<ClusterView>> cluster() {
        return Optional.of(server.status().thenApply(this::view));
    }

    private ClusterView view(ClusterStatus status) {
        return new ClusterView(
                status.cluster(),
                status.server(),
                status.leader(),
                status.term(),
                status.members().stream().map(this::view).toList());
    }

    private ClusterView.Member view(ClusterStatus.Member member) {
        return new ClusterView.Member(
                member.name(),
                member.address(),
                Optional.ofNullable(uris.get(member.name())),
                Json.word(member.role()),
                member.lastContact().map(Duration::toMillis),
                member.log()
                        .map(log -> new ClusterView.Position(
                                log.last(),
                                log.committed(),
                                log.applied(),
                                log.snapshot(),
                                log.snapshotAge().map(Duration::toMillis))));
    }

    @Override
    public Optional<ClusterView.Changes> changes() {
        return Optional.of(new ClusterView.Changes() {
            @Override
            public CompletionStage<String> add(String name, String address) {
                return server.add(name, address);
            }

            @Override
            public CompletionStage<String> remove(String member) {
                return server.remove(member);
            }

            @Override
            public CompletionStage<String> transfer(String member) {
                return server.transfer(member);
            }
        });
    }

    @Override
    public void handOver() {
        server.stepDown();
    }

    @Override
    public LockNode connect(String client, NodeListener listener) {
        return server.connect(client, listener);
    }

    @Override
    public NodeMessage introduction() {
        return new NodeMessage.Member(
                server.cluster(), server.name(), Release.NAME, server.uptime().toMillis());
    }

    @Override
    public CompletionStage<NodeMessage> status(LockNode connection) {
        return connection
                .status()
                .thenApply(status -> status.state() == NodeStatus.State.UP
                        ? new NodeMessage.Status(
                                server.uptime().toMillis(), 0, timing.ticker().wallMillis(), List.of())
                        : new NodeMessage.Failed(new Unavailable(status.detail(), false)));
    }

    @Override
    public void close() {
        server.close();
    }
}
