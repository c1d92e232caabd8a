package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.testkit.FencedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Servers and clients of one schedule: ttls are long, so that what happens has another cause than a slow machine. */
final class ScheduleNodes implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(60);
    static final Duration SOON = Duration.ofSeconds(20);
    static final String LOCK = "orders:42";
    static final String KEY = "lock:orders:42";

    private final RedisProcesses servers;
    private final List<Holdfast> clients = new ArrayList<>();

    ScheduleNodes(int count, RedisOptions options) {
        servers = RedisProcesses.start(count, options);
    }

    RedisProcess server(int index) {
        return servers.node(index);
    }

    RedisProcesses servers() {
        return servers;
    }

    void forEach(Consumer<RedisProcess> fault, int... indexes) {
        for (int index : indexes) {
            fault.accept(server(index));
        }
    }

    Holdfast client() {
        return client(settings -> settings);
    }

    Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        String[] uris = servers.uris().stream().map(Object::toString).toArray(String[]::new);
        return clientOf(settings, uris);
    }

    Holdfast clientOf(UnaryOperator<HoldfastBuilder> settings, String... uris) {
        HoldfastBuilder builder = Holdfast.builder()
                .nodes(uris)
                .lockOptions(options -> options.ttl(TTL).waiterTtl(TTL))
                .restartQuarantine(uris.length == 1 ? Duration.ZERO : TTL);
        Holdfast client = settings.apply(builder).build();
        clients.add(client);
        return client;
    }

    /** A lease that is not extended, with a vote of each node that is up, so many, so that nothing mends what a schedule breaks. */
    static Lease acquire(Holdfast client, int votes) {
        await().atMost(SOON)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(client.admin().nodes())
                        .filteredOn(node -> node.state() == NodeStatus.State.UP)
                        .hasSize(votes));
        Lease lease = tryUntilHeld(client.lock(LOCK).autoExtend(false));
        await().atMost(SOON)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(LiveNodes.status(client, LOCK).holders())
                        .singleElement()
                        .satisfies(holder -> assertThat(holder.votes()).isEqualTo(votes)));
        return lease;
    }

    /** Asks until the lock is had: nodes that have just come back are not there for everybody at once. */
    static Lease tryUntilHeld(DistributedLock lock) {
        Acquisition[] last = new Acquisition[1];
        await().atMost(SOON).pollInSameThread().until(() -> {
            last[0] = lock.tryAcquire();
            return last[0].isHeld();
        });
        return last[0].lease();
    }

    /** The schedule has made two holders; what they protect takes the later one's writes only. */
    static void assertOnlyTheTokenTellsThemApart(Lease stale, Lease fresh) {
        FencedStore store = new FencedStore();
        assertThat(stale.isHeld() && fresh.isHeld()).as("two holders").isTrue();
        assertThat(fresh.fencingToken()).isGreaterThan(stale.fencingToken());
        assertThat(store.write(stale.fencingToken(), "before")).isTrue();
        assertThat(store.write(fresh.fencingToken(), "fresh")).isTrue();
        assertThat(store.write(stale.fencingToken(), "stale")).isFalse();
        assertThat(store.guarded()).isEqualTo("fresh");
        assertThat(store.unguarded()).isEqualTo("stale");
    }

    @Override
    public void close() {
        clients.forEach(Holdfast::close);
        servers.close();
    }
}
