package dev.holdfast.server.node;

import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterServer;
import dev.holdfast.cluster.ClusterStatus;
import dev.holdfast.cluster.OwnPart;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Unavailable;
import dev.holdfast.server.client.ClusterNode;
import dev.holdfast.server.client.NodeMessage;
import dev.holdfast.server.client.RemoteNodeProvider;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server of a cluster as a node. It serves clients while it leads the cluster, and tells them when that changes. Thread-safe.
 *
 * <p>Only this class uses the cluster's classes, so a server without a cluster does not load them.
 */
public final class ClusterMember implements ServedNode {

    private static final long PERIOD_NANOS = 5_000_000_000L;
    private static final double MILLIS_PER_SECOND = 1_000;

    /** How long clients may need to connect to a server that has started: they try it once a second. */
    private static final long ARRIVAL_NANOS = 3_000_000_000L;

    private final ClusterServer server;
    private final Timing timing;
    private final Map<String, String> uris;
    private final Operations operations = new Operations();
    private volatile @Nullable Timer arrival;

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
        ClusterServer server = ClusterServer.start(config, timing);
        server.setReachable(false);
        return new ClusterMember(server, timing, new TreeMap<>(uris));
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
    public Optional<Cluster> cluster() {
        return Optional.of(operations);
    }

    /** Lets the other servers transfer leads to this one, once clients have had the time to connect. Before, requests for these groups would only wait. */
    @Override
    public void opened() {
        arrival = timing.scheduler().schedule(ARRIVAL_NANOS, () -> server.setReachable(true));
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
    public LockGroups groups() {
        return server.groups();
    }

    @Override
    public NodeMessage introduction() {
        return new NodeMessage.Member(
                server.clusterId(),
                server.name(),
                server.groups().count(),
                Release.NAME,
                server.uptime().toMillis());
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
        Timer pending = arrival;
        if (pending != null) {
            pending.cancel();
        }
        operations.close();
        server.close();
    }

    /** The cluster for its operators. */
    private final class Operations implements Cluster, AutoCloseable {

        private @Nullable Timer next;
        private boolean closed;

        @Override
        public CompletionStage<ObjectNode> view() {
            return server.status().thenApply(this::json);
        }

        @Override
        public CompletionStage<Part> part() {
            return server.part().thenApply(part -> new Part(part.state() == OwnPart.State.MISSING, part.detail()));
        }

        private ObjectNode json(ClusterStatus status) {
            ObjectNode object = Json.object()
                    .put("cluster", status.cluster())
                    .put("id", server.clusterId())
                    .put("server", status.server());
            ofAll(status.groups()).ifPresent(name -> object.put("leader", name));
            object.put("term", status.term()).put("majority", status.majority()).put("takingPart", status.takingPart());
            ArrayNode groups = object.putArray("groups");
            status.groups().forEach(group -> put(groups.addObject(), group));
            ArrayNode array = object.putArray("servers");
            status.members().forEach(member -> put(array.addObject(), member));
            return object;
        }

        /** Returns the server that leads all groups; empty if none does. */
        private static Optional<String> ofAll(List<ClusterStatus.Group> groups) {
            Optional<String> first = groups.get(0).leader();
            return first.filter(
                    leader -> groups.stream().allMatch(group -> group.leader().equals(first)));
        }

        private static void put(ObjectNode object, ClusterStatus.Group group) {
            object.put("group", group.index());
            group.leader().ifPresent(name -> object.put("leader", name));
            object.put("term", group.term());
        }

        private void put(ObjectNode object, ClusterStatus.Member member) {
            object.put("name", member.name()).put("address", member.address());
            Optional.ofNullable(uris.get(member.name())).ifPresent(uri -> object.put("uri", uri));
            ArrayNode led = object.put("role", Json.word(member.role())).putArray("groups");
            member.led().forEach(led::add);
            object.put("health", Json.word(member.health())).put("detail", member.detail());
            member.lastContact().ifPresent(time -> object.put("contactMillis", time.toMillis()));
            member.log().ifPresent(log -> {
                object.put("term", log.term())
                        .put("lastIndex", log.last())
                        .put("committedIndex", log.committed())
                        .put("appliedIndex", log.applied());
                log.lag().ifPresent(lag -> object.put("lag", lag));
                log.snapshot()
                        .ifPresent(snapshot -> object.put("snapshotIndex", snapshot.index())
                                .put("snapshotAgeMillis", snapshot.age().toMillis())
                                .put("snapshotBytes", snapshot.bytes()));
            });
        }

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

        @Override
        public CompletionStage<byte[]> backup() {
            return server.backup();
        }

        @Override
        public void addMetrics(MeterRegistry registry) {
            ClusterMetrics metrics = new ClusterMetrics(registry);
            metrics.leads(() -> server.groups().led().size());
            metrics.groups(() -> server.groups().count());
            metrics.leaderKnown(() -> server.leadersKnown() ? 1 : 0);
            metrics.leaderChanges(server, ClusterServer::leaderChanges);
            metrics.term(() -> position(ClusterStatus.LogPosition::term));
            metrics.last(() -> position(ClusterStatus.LogPosition::last));
            metrics.committed(() -> position(ClusterStatus.LogPosition::committed));
            metrics.applied(() -> position(ClusterStatus.LogPosition::applied));
            metrics.snapshotSeconds(() -> snapshot(snapshot -> snapshot.age().toMillis() / MILLIS_PER_SECOND));
            metrics.snapshotBytes(() -> snapshot(ClusterStatus.Snapshot::bytes));
            server.onCommitted(metrics.commits());
            ask(metrics);
        }

        private double position(ToDoubleFunction<ClusterStatus.LogPosition> part) {
            return server.position().map(part::applyAsDouble).orElse(Double.NaN);
        }

        private double snapshot(ToDoubleFunction<ClusterStatus.Snapshot> part) {
            return server.position()
                    .flatMap(ClusterStatus.LogPosition::snapshot)
                    .map(part::applyAsDouble)
                    .orElse(Double.NaN);
        }

        private void ask(ClusterMetrics metrics) {
            server.status().whenComplete((status, failure) -> {
                if (status != null) {
                    metrics.servers(status.members().stream()
                            .map(member -> new ClusterMetrics.Server(
                                    member.name(),
                                    member.health().takesPart(),
                                    member.log()
                                            .map(ClusterStatus.LogPosition::lag)
                                            .orElse(OptionalLong.empty())))
                            .toList());
                }
                synchronized (this) {
                    next = closed ? null : timing.scheduler().schedule(PERIOD_NANOS, () -> ask(metrics));
                }
            });
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (next != null) {
                next.cancel();
            }
        }
    }
}
