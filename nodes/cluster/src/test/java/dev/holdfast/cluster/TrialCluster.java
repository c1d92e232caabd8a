package dev.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.client.ClusterNode;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Three servers of one cluster in this process, each with a folder and a port of its own. */
final class TrialCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path folder;
    private final Timing timing;
    private final Map<String, String> peers;
    private final ClusterConfig.Options options;
    private final Map<String, ClusterServer> servers = new TreeMap<>();

    TrialCluster(Path folder, Timing timing, Duration electionTimeout, ClusterConfig.@Nullable PeerTls tls) {
        this.folder = folder;
        this.timing = timing;
        this.peers = freeAddresses("a", "b", "c");
        this.options = new ClusterConfig.Options(electionTimeout, Duration.ofHours(1), tls);
        peers.keySet().forEach(name -> start(name, ClusterConfig.Start.CREATE));
    }

    /** Returns free addresses, at ports that no outgoing connection takes while a server is down. */
    static Map<String, String> freeAddresses(String... names) {
        Map<String, String> addresses = new TreeMap<>();
        for (String name : names) {
            addresses.put(name, "127.0.0.1:" + FreePort.pick());
        }
        return addresses;
    }

    ClusterServer start(String name, ClusterConfig.Start start) {
        ClusterServer server = ClusterServer.start(config(name, start), timing);
        servers.put(name, server);
        return server;
    }

    ClusterConfig config(String name, ClusterConfig.Start start) {
        return new ClusterConfig("trial", name, peers, folder.resolve(name), start, options);
    }

    /**
     * Makes the servers wait this long for a leader that is silent. On a busy machine, a leader may be silent for a while, and tests that do not try
     * elections must not see one.
     */
    void electLater(Duration electionTimeout) {
        servers.values().forEach(server -> server.resetElectionTimeout(electionTimeout));
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

    private Optional<ClusterServer> leading() {
        return servers.values().stream().filter(ClusterServer::leads).findFirst();
    }

    @Override
    public void close() {
        servers.values().forEach(ClusterServer::close);
        servers.clear();
    }
}
