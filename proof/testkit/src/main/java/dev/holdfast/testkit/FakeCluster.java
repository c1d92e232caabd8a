package dev.holdfast.testkit;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Servers, clients and a network between them in one thread, where nothing happens unless a test lets it. A test of a
 * protocol schedule therefore reads like the schedule itself.
 *
 * <pre>{@code
 * FakeCluster cluster = new FakeCluster(3);
 * FakeClient a = cluster.client("a");
 * a.node(0).answers().lose();
 * Lease lease = a.acquire("x");       // from the other two
 * cluster.advance(Duration.ofSeconds(10));
 * cluster.server(1).stop();
 * }</pre>
 */
public final class FakeCluster {

    private static final long FENCE_RETENTION_MILLIS = Duration.ofHours(24).toMillis();
    private static final long SEED = 20260101;

    private final ManualTiming world;
    private final ManualMachine network;
    private final List<FakeServer> servers;

    /** Creates a cluster of servers whose clocks agree. */
    public FakeCluster(int servers) {
        this(servers, SEED);
    }

    /** Creates a cluster of servers whose clocks agree, with another seed for jitter and ids. */
    public FakeCluster(int servers, long seed) {
        this.world = new ManualTiming(seed);
        this.network = world.machine("network");
        this.servers = IntStream.range(0, servers)
                .mapToObj(server -> {
                    String name = String.valueOf((char) ('A' + server));
                    return new FakeServer(name, world.machine(name), FENCE_RETENTION_MILLIS);
                })
                .toList();
    }

    /** Returns a client with default settings. */
    public FakeClient client(String name) {
        return client(name, settings -> settings);
    }

    /** Returns a client that is connected to all servers. */
    public FakeClient client(String name, UnaryOperator<HoldfastBuilder> settings) {
        ManualMachine machine = world.machine(name);
        List<FaultyNode> nodes = new ArrayList<>();
        HoldfastBuilder builder = Holdfast.builder().clientName(name).timing(machine.timing());
        for (FakeServer server : servers) {
            builder.node(context -> {
                FaultyNode node = server.connect(network, context);
                nodes.add(node);
                return node;
            });
        }
        Holdfast holdfast = settings.apply(builder).build();
        world.drain();
        return new FakeClient(world, machine, holdfast, nodes);
    }

    /** Returns a server; 0 is the first. */
    public FakeServer server(int index) {
        return servers.get(index);
    }

    /** Returns all servers. */
    public List<FakeServer> servers() {
        return servers;
    }

    /** Returns the time that all clients and servers share. */
    public ManualTiming world() {
        return world;
    }

    /** Lets time pass. */
    public void advance(Duration length) {
        world.advance(length);
    }

    /** Lets time pass until the stage is complete, and returns its value. */
    public <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    /** Returns the number of servers that hold a vote for a lease. */
    public int votes(Lease lease) {
        String attempt = lease.owner().substring(0, lease.owner().lastIndexOf('/') + 1);
        return (int) servers.stream()
                .filter(server -> server.state(resource(lease.name())).holders().stream()
                        .anyMatch(holder -> holder.owner().startsWith(attempt)))
                .count();
    }

    /** Returns how many servers have a holder, a waiter or a seal of this lock. */
    public int traces(String name) {
        return (int) servers.stream()
                .map(server -> server.state(resource(name)))
                .filter(state -> !state.holders().isEmpty() || !state.waiters().isEmpty() || state.seal() != null)
                .count();
    }

    /** Returns the name under which the servers know a lock of clients with the default key prefix. */
    public static String resource(String name) {
        return "lock:" + name;
    }
}
