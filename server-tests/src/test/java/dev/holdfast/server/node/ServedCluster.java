package dev.holdfast.server.node;

import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Three lock servers of one cluster in this process, which clients reach by their ports. */
public final class ServedCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path folder;
    private final Map<String, String> peers = new TreeMap<>();
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, LockServer> servers = new TreeMap<>();

    private final ClusterConfig.Options options;

    public ServedCluster(Path folder) {
        this(folder, ClusterConfig.Options.defaults());
    }

    public ServedCluster(Path folder, ClusterConfig.Options options) {
        this.folder = folder;
        this.options = options;
        for (String name : new String[] {"a", "b", "c"}) {
            peers.put(name, "127.0.0.1:" + FreePort.pick());
            ports.put(name, FreePort.pick());
        }
        peers.keySet().forEach(name -> start(name, Start.CREATE));
    }

    /**
     * Starts a cluster that divides its locks into groups.
     *
     * @param electionTimeout how long the servers wait for a leader that is silent before they elect another one; the first election waits as long
     */
    static ServedCluster withGroups(Path folder, int groups, Duration electionTimeout) {
        ClusterConfig.Options usual = ClusterConfig.Options.defaults();
        return new ServedCluster(
                folder, new ClusterConfig.Options(groups, electionTimeout, usual.snapshotInterval(), null));
    }

    public void start(String name, Start start) {
        ClusterConfig config = new ClusterConfig("trial", name, peers, folder.resolve(name), start, options);
        Map<String, String> uris = new TreeMap<>();
        ports.forEach((one, port) -> uris.put(one, "holdfast://127.0.0.1:" + port));
        servers.put(
                name,
                LockServer.builder()
                        .port(ports.get(name))
                        .clientOfItself(Holdfast.builder())
                        .cluster(config, uris)
                        .start());
    }

    public LockServer server(String name) {
        return servers.get(name);
    }

    public void stop(String name) {
        servers.remove(name).close();
    }

    /** Returns the servers that run, by name. */
    public Map<String, LockServer> servers() {
        return Map.copyOf(servers);
    }

    /** Returns the URI of all servers. */
    public String uri() {
        return ports.values().stream()
                .map(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(",", "holdfast://", ""));
    }

    /** Waits until a running server leads, and returns its name. */
    public String leader() {
        return await("a leader")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(this::leading, Optional::isPresent)
                .orElseThrow();
    }

    private Optional<String> leading() {
        return servers.keySet().stream()
                .filter(name -> {
                    JsonNode view = http(name).get("/v1/cluster").is(200).json();
                    return view.path("leader").stringValue("").equals(name);
                })
                .findFirst();
    }

    /** Waits until every group has a leader, in the view of all running servers. */
    void awaitLeaders() {
        await("leaders of all groups")
                .atMost(PATIENCE)
                .until(() -> servers.keySet().stream()
                        .allMatch(name -> http(name)
                                .get("/v1/cluster")
                                .is(200)
                                .json()
                                .path("groups")
                                .valueStream()
                                .allMatch(group -> group.has("leader"))));
    }

    /** Waits until the numbers of groups that the running servers lead are at most one apart, in the view of one of them. */
    void awaitEvenLeads() {
        await("evenly spread leads").atMost(PATIENCE).until(() -> {
            awaitLeaders();
            Collection<Integer> leads = leads().values();
            return Collections.max(leads) - Collections.min(leads) <= 1;
        });
    }

    /** Returns how many groups each server leads, in the view of one of them. */
    private Map<String, Integer> leads() {
        Map<String, Integer> leads = new TreeMap<>();
        String any = servers.keySet().iterator().next();
        http(any)
                .get("/v1/cluster")
                .is(200)
                .json()
                .path("servers")
                .valueStream()
                .forEach(server -> leads.put(
                        server.path("name").asString(), server.path("groups").size()));
        return leads;
    }

    /** Waits until this server's own client can lock. */
    public void awaitReady(String name) {
        await("server " + name + " is ready")
                .atMost(PATIENCE)
                .until(() -> http(name).get("/readyz").status() == 200);
    }

    public Http http(String name) {
        return new Http(server(name));
    }

    @Override
    public void close() {
        servers.values().forEach(LockServer::close);
    }
}
