package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FakeServer;
import dev.holdfast.testkit.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that take and give back one lock in random schedules of lost, late, doubled and overtaking messages, nodes that stop, come
 * back and forget, and clients that pause, sleep and have their clocks set. Whatever happens: no two conflicting leases at one time, tokens
 * that rise, and in the end everybody is served and nothing is left.
 */
@Tag("slow")
class RandomScheduleTest {

    private static final Duration TTL = seconds(2);
    private static final Duration WAITER_TTL = seconds(1);
    private static final Duration FAULTY_FOR = seconds(60);
    private static final int SCHEDULES = Integer.getInteger("holdfast.schedules", 40);
    private static final int FIRST_SEED = Integer.getInteger("holdfast.seed", 0);

    private final Logger logger = Logger.getLogger("dev.holdfast");
    private final Level level = logger.getLevel();

    @BeforeEach
    void keepQuiet() {
        logger.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        logger.setLevel(level);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, false", "3, 3, false", "3, 3, true", "5, 4, false", "5, 4, true"})
    void whateverHappensTheLockIsHeldByOneAndTokensRise(int nodes, int clients, boolean shared) {
        int acquired = 0;
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            Schedule schedule = new Schedule(nodes, clients, shared, seed);
            schedule.play();
            acquired += schedule.history.size();
        }
        assertThat(acquired).as("leases in all").isGreaterThan(SCHEDULES * 20);
    }

    /** A lease and when it was asked for and had, in steps of the schedule. */
    private record Had(FakeClient client, Lease lease, long asked, long had) {}

    private static final class Schedule {

        final List<Had> history = new ArrayList<>();
        private final FakeCluster cluster;
        private final List<FakeClient> clients = new ArrayList<>();
        private final List<Had> believed = new ArrayList<>();
        private final SplittableRandom random;
        private final String name;
        private final boolean shared;
        private long step;
        private boolean ending;

        Schedule(int nodes, int clients, boolean shared, int seed) {
            this.name = "nodes " + nodes + ", clients " + clients + ", shared " + shared + ", seed " + seed;
            this.random = new SplittableRandom(seed);
            this.shared = shared;
            this.cluster = new FakeCluster(nodes, seed);
            for (int client = 0; client < clients; client++) {
                this.clients.add(cluster.client(
                        "c" + client,
                        settings -> settings.ttl(TTL).waiterTtl(WAITER_TTL).restartQuarantine(TTL.multipliedBy(2))));
            }
        }

        void play() {
            clients.forEach(this::ask);
            while (cluster.world().elapsed().compareTo(FAULTY_FOR) < 0) {
                cluster.advance(millis(random.nextInt(200)));
                checkBeliefs();
                fault();
            }
            heal();
            int before = history.size();
            cluster.advance(seconds(20));
            checkBeliefs();
            assertThat(history.size() - before)
                    .as(name + ": served once all is well")
                    .isGreaterThan(clients.size());
            ending = true;
            cluster.advance(seconds(20));
            assertThat(cluster.traces("x")).as(name + ": left behind").isZero();
            checkTokens();
            clients.forEach(client -> assertThat(client.machine().pendingTimers())
                    .as(name + ": timers of " + client.machine())
                    .isLessThanOrEqualTo(1));
        }

        private void ask(FakeClient client) {
            if (ending) {
                return;
            }
            LockMode mode = shared ? LockMode.values()[1 + random.nextInt(5)] : LockMode.EX;
            DistributedLock lock = client.lock("x").mode(mode).autoExtend(random.nextInt(4) > 0);
            Duration wait = random.nextInt(3) == 0 ? Duration.ZERO : millis(random.nextInt(6_000));
            long asked = ++step;
            CompletableFuture<Acquisition> attempt = lock.tryAcquireAsync(wait);
            attempt.thenAccept(acquisition -> {
                if (acquisition.isHeld()) {
                    had(new Had(client, acquisition.lease(), asked, ++step));
                } else {
                    later(client, random.nextInt(300), () -> ask(client));
                }
            });
            if (random.nextInt(10) == 0) {
                later(client, random.nextInt(1_000), () -> {
                    if (attempt.cancel(true)) {
                        ask(client);
                    }
                });
            }
        }

        private void had(Had had) {
            history.add(had);
            believed.add(had);
            checkBeliefs();
            later(had.client, random.nextInt(random.nextInt(4) == 0 ? 5_000 : 300), () -> {
                believed.remove(had);
                had.lease.releaseAsync();
                later(had.client, random.nextInt(100), () -> ask(had.client));
            });
        }

        private void later(FakeClient client, long delayMillis, Runnable work) {
            client.machine().timing().scheduler().schedule(millis(delayMillis).toNanos(), work);
        }

        // ---- faults

        private void fault() {
            FakeClient client = clients.get(random.nextInt(clients.size()));
            int index = random.nextInt(cluster.servers().size());
            FakeServer server = cluster.server(index);
            switch (random.nextInt(12)) {
                case 0 -> spoil(client.node(index).requests());
                case 1 -> spoil(client.node(index).answers());
                case 2 -> spoil(client.node(index).pushes());
                case 3, 4 -> client.node(index).heal();
                case 5 -> {
                    client.node(index).disconnect("cut");
                    client.node(index).reconnect();
                }
                case 6 -> {
                    server.stop();
                    cluster.advance(millis(random.nextInt(1_000)));
                    server.start();
                }
                case 7 -> forget(server);
                case 8 -> {
                    client.pause();
                    cluster.advance(millis(random.nextInt(3_000)));
                    checkBeliefs();
                    client.resume();
                }
                case 9 -> client.machine().stepWall(millis(random.nextInt(3_000) - 1_500));
                default -> {}
            }
        }

        /** One at a time: what a majority forgets at once is gone (PROTOCOL §6). */
        private void forget(FakeServer server) {
            if (random.nextInt(4) == 0 && cluster.servers().size() > 1) {
                server.stop();
                cluster.advance(millis(random.nextInt(500)));
                server.startEmpty(TTL.multipliedBy(2));
            }
        }

        private void spoil(Lane lane) {
            switch (random.nextInt(5)) {
                case 0 -> lane.lose();
                case 1 -> lane.hold();
                case 2 -> lane.twice();
                case 3 -> lane.delay(millis(random.nextInt(50)));
                default -> lane.delay(millis(random.nextInt(3_000)));
            }
        }

        private void heal() {
            clients.forEach(client -> client.nodes().forEach(node -> node.heal()));
            cluster.world().drain();
        }

        // ---- what must hold

        private void checkBeliefs() {
            List<Lease> held =
                    believed.stream().map(Had::lease).filter(Lease::isHeld).toList();
            for (int i = 0; i < held.size(); i++) {
                for (int j = i + 1; j < held.size(); j++) {
                    assertThat(held.get(i).mode().isCompatibleWith(held.get(j).mode()))
                            .as(
                                    "%s: %s and %s at %s",
                                    name,
                                    held.get(i),
                                    held.get(j),
                                    cluster.world().elapsed())
                            .isTrue();
                }
            }
        }

        private void checkTokens() {
            for (Had one : history) {
                for (Had other : history) {
                    boolean conflict = one != other && one.lease.mode().conflictsWith(other.lease.mode());
                    if (conflict) {
                        assertThat(one.lease.fencingToken())
                                .as("%s: the token of two", name)
                                .isNotEqualTo(other.lease.fencingToken());
                    }
                    if (conflict && one.had < other.asked) {
                        assertThat(one.lease.fencingToken())
                                .as("%s: %s before %s", name, one, other)
                                .isLessThan(other.lease.fencingToken());
                    }
                }
            }
        }
    }
}
