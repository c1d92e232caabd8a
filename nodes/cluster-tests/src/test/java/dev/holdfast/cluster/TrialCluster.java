package dev.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.client.ClusterNode;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Three servers of one cluster in this process, each with a folder and a port of its own. Servers {@code d} and {@code e} may join. */
final class TrialCluster implements AutoCloseable {

    static final List<String> FOUNDERS = List.of("a", "b", "c");

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path folder;
    private final Timing timing;
    private final Map<String, String> peers;
    private final ClusterConfig.Options options;
    private final Map<String, ClusterServer> servers = new TreeMap<>();
    private final Map<String, Path> disks = new TreeMap<>();
    private int lost;
    private final List<MovingNode> moving = new ArrayList<>();

    /** Starts the servers of a cluster with one group. */
    TrialCluster(Path folder, Timing timing, Duration electionTimeout, ClusterConfig.@Nullable PeerTls tls) {
        this(folder, timing, new ClusterConfig.Options(1, electionTimeout, Duration.ofHours(1), tls));
    }

    /** Starts the servers of a cluster with several groups, an election timeout of a second, and no TLS. */
    TrialCluster(Path folder, Timing timing, int groups) {
        this(folder, timing, groups, Duration.ofSeconds(1));
    }

    /** Starts the servers of a cluster with several groups, and no TLS. */
    TrialCluster(Path folder, Timing timing, int groups, Duration electionTimeout) {
        this(folder, timing, new ClusterConfig.Options(groups, electionTimeout, Duration.ofHours(1), null));
    }

    private TrialCluster(Path folder, Timing timing, ClusterConfig.Options options) {
        this.folder = folder;
        this.timing = timing;
        this.peers = freeAddresses("a", "b", "c", "d", "e");
        this.options = options;
        FOUNDERS.forEach(name -> start(name, ClusterConfig.Start.CREATE));
    }

    /** Returns free addresses, at ports that no outgoing connection takes while a server is down. */
    static Map<String, String> freeAddresses(String... names) {
        Map<String, String> addresses = new TreeMap<>();
        for (String name : names) {
            addresses.put(name, "127.0.0.1:" + FreePort.pick());
        }
        return addresses;
    }

    /** Starts a server. The engine does not wait until its port is free when a server closes, which matters only within one process. */
    ClusterServer start(String name, ClusterConfig.Start start) {
        int port = Integer.parseInt(address(name).substring(address(name).indexOf(':') + 1));
        await(address(name)).atMost(PATIENCE).until(() -> FreePort.isFree(port));
        ClusterServer server = ClusterServer.start(config(name, start), timing);
        servers.put(name, server);
        return server;
    }

    ClusterConfig config(String name, ClusterConfig.Start start) {
        Map<String, String> known = new TreeMap<>(peers);
        known.keySet().removeIf(peer -> !FOUNDERS.contains(peer) && !peer.equals(name));
        return new ClusterConfig("trial", name, known, disks.getOrDefault(name, folder.resolve(name)), start, options);
    }

    /** Gives a server that does not run an empty disk. */
    void loseDisk(String name) {
        disks.put(name, folder.resolve(name + "-" + ++lost));
    }

    String address(String name) {
        return Objects.requireNonNull(peers.get(name));
    }

    ClusterServer server(String name) {
        return Objects.requireNonNull(servers.get(name));
    }

    /**
     * Makes the servers wait this long for a leader that is silent. On a busy machine, a leader may be silent for a while, and tests that do not try
     * elections must not see one.
     */
    void electLater(Duration electionTimeout) {
        servers.values().forEach(server -> server.resetElectionTimeout(electionTimeout));
    }

    /** Connects a client that connects again to each server that {@link #restart} starts. */
    MovingNode movingNode(String client, NodeListener listener) {
        MovingNode node = new MovingNode(() -> connect(client, listener));
        moving.add(node);
        return node;
    }

    /** Starts a server that was stopped, with its data. */
    void restart(String name) {
        start(name, ClusterConfig.Start.RESUME);
        moveClients();
    }

    /** Connects the clients of {@link #movingNode} to the servers that run now. */
    void moveClients() {
        moving.forEach(MovingNode::move);
    }

    void stop(String name) {
        servers.remove(name).close();
    }

    List<ClusterServer> servers() {
        return List.copyOf(servers.values());
    }

    /** Connects a client to all running servers, for which they are one node. */
    LockNode connect(String client, NodeListener listener) {
        List<Function<NodeListener, LockNode>> connecting = servers.values().stream()
                .<Function<NodeListener, LockNode>>map(server -> one -> server.connect(client, one))
                .toList();
        return ClusterNode.open("cluster:trial", listener, connecting);
    }

    /** Waits for a leader, and returns it. */
    ClusterServer leader() {
        return await("a leader")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(this::leading, Optional::isPresent)
                .orElseThrow();
    }

    ClusterServer follower() {
        ClusterServer leader = leader();
        return servers.values().stream()
                .filter(server -> server != leader)
                .findFirst()
                .orElseThrow();
    }

    /** Waits for a leader of a group, and returns it. */
    ClusterServer leader(int group) {
        return await("a leader of group " + group)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> leading(group), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<ClusterServer> leading(int group) {
        return servers.values().stream()
                .filter(server -> server.groups().led().contains(group))
                .findFirst();
    }

    /** Waits until each group has a leader, and the numbers of groups that the servers lead are at most one apart. */
    void awaitSpread() {
        await("spread leads")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(this::isSpread);
    }

    private boolean isSpread() {
        List<Integer> leads = servers.values().stream()
                .map(server -> server.groups().led().size())
                .toList();
        return leads.stream().mapToInt(Integer::intValue).sum() == options.groups()
                && Collections.max(leads) - Collections.min(leads) <= 1;
    }

    private Optional<ClusterServer> leading() {
        return servers.values().stream().filter(ClusterServer::leads).findFirst();
    }

    @Override
    public void close() {
        servers.values().forEach(ClusterServer::close);
        servers.clear();
    }
}
