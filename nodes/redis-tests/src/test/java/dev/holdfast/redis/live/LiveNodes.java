package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Real servers for one test, and clients on them; at the end nothing may be left behind. */
final class LiveNodes implements AutoCloseable {

    /** Short, so that what expires does so within a test; long enough for a machine with other work. */
    static final Duration TTL = Duration.ofSeconds(3);

    /** For tests in which nothing may expire. */
    static final Duration LONGER_TTL = TTL.multipliedBy(2);

    static final Duration WAITER_TTL = Duration.ofSeconds(2);
    static final Duration SOON = Duration.ofSeconds(20);

    private static final String EPOCH = "holdfast:epoch";
    private static final String TTL_OF_LOCK = "}:holdfast:ttl";

    final RedisProcesses servers;
    private final List<Holdfast> clients = new ArrayList<>();

    LiveNodes(int count) {
        servers = RedisProcesses.start(count);
    }

    RedisProcess server(int index) {
        return servers.node(index);
    }

    String[] uris() {
        return IntStream.range(0, servers.size())
                .mapToObj(index -> server(index).uri().toString())
                .toArray(String[]::new);
    }

    /** A client of its own on all nodes, with expiries that a test can wait for. */
    Holdfast client() {
        return client(settings -> settings);
    }

    /** The same, but for what is set here. */
    Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        Holdfast client = settings.apply(settings()).connect();
        clients.add(client);
        return client;
    }

    /** Whether this is an owner id of the client that was made last. */
    boolean isOfLastClient(String owner) {
        return owner.startsWith(clients.get(clients.size() - 1).client() + "/");
    }

    /** For tests in which no lease and no waiter may expire: those of a busy machine are extended late. */
    static HoldfastBuilder lasting(HoldfastBuilder settings) {
        return settings.lockOptions(options -> options.ttl(LONGER_TTL).waiterTtl(LONGER_TTL))
                .fenceRetention(LONGER_TTL);
    }

    /** For requests that are made once only: on a busy machine a node may answer later than the default allows. */
    static HoldfastBuilder patient(HoldfastBuilder settings) {
        return settings.nodeOptions(NodeOptions.defaults().timeout(TTL.dividedBy(2)));
    }

    HoldfastBuilder settings() {
        return settings(uris());
    }

    static HoldfastBuilder settings(String... uris) {
        return Holdfast.builder()
                .nodes(uris)
                .lockOptions(options -> options.ttl(TTL).waiterTtl(WAITER_TTL))
                .restartQuarantine(uris.length == 1 ? Duration.ZERO : TTL)
                .fenceRetention(TTL.plusSeconds(1));
    }

    /** Waits until this many clients are in the queue at a majority of the nodes. */
    static void awaitWaiters(Holdfast client, String lock, int count) {
        await().atMost(SOON)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(client.admin().status(lock).nodes().stream()
                                .flatMap(node -> node.state().stream())
                                .filter(state -> state.waiters().size() == count))
                        .hasSizeGreaterThan(client.admin().nodeNames().size() / 2));
    }

    static LockStatus status(Holdfast client, String lock) {
        try {
            return client.admin().status(lock);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Keys at all servers that run, except those that stay as long as a server may need them: the epoch, and ttls with an expiry. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            RedisProcess server = server(i);
            if (server.isRunning()) {
                server.keys().stream()
                        .filter(key -> !key.equals(EPOCH) && !(key.endsWith(TTL_OF_LOCK) && expiresSoon(server, key)))
                        .forEach(keys::add);
            }
        }
        return keys;
    }

    /** A queued request leaves its ttl for four times its waiterTtl. */
    private static boolean expiresSoon(RedisProcess server, String key) {
        return server.send("PTTL", key) instanceof Long millis
                && millis > 0
                && millis <= LONGER_TTL.multipliedBy(4).toMillis();
    }

    void awaitNoKeys() {
        await().atMost(SOON).untilAsserted(() -> assertThat(keys()).isEmpty());
    }

    @Override
    public void close() {
        clients.forEach(Holdfast::close);
        try {
            for (int i = 0; i < servers.size(); i++) {
                if (server(i).isRunning() && server(i).isPaused()) {
                    server(i).resume();
                }
            }
            awaitNoKeys();
        } finally {
            servers.close();
        }
    }
}
