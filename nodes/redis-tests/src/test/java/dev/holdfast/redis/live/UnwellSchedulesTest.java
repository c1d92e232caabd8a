package dev.holdfast.redis.live;

import static dev.holdfast.redis.live.ScheduleNodes.KEY;
import static dev.holdfast.redis.live.ScheduleNodes.LOCK;
import static dev.holdfast.redis.live.ScheduleNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.redis.process.Direction;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.Stalls;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Schedules in which servers are up but unwell, slow or cut off, by their numbers in docs/explanation/guarantees.md. */
@Tag("slow")
class UnwellSchedulesTest {

    private static final RedisOptions SICKLY = RedisOptions.defaults().config("enable-debug-command yes");

    @ParameterizedTest
    @MethodSource("dev.holdfast.redis.live.NodeFaults#all")
    @DisplayName("S29: BUSY, LOADING and so on are taken for held, or the release is refused")
    void s29_anUnwellNodeSaysNeitherYesNorNo(NodeFaults illness) throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(3, SICKLY)) {
            Holdfast holdfast = nodes.client();
            Lease before = ScheduleNodes.acquire(holdfast, 3);
            try (AutoCloseable first = illness.befall().begin(nodes.server(0))) {
                try (AutoCloseable second = illness.befall().begin(nodes.server(1))) {
                    await().atMost(SOON)
                            .pollInSameThread()
                            .untilAsserted(() -> assertThatThrownBy(() -> holdfast.lock("another")
                                            .tryAcquire()
                                            .lease())
                                    .isInstanceOf(NoQuorumException.class)
                                    .hasMessageContaining(illness.words()));
                    assertThat(before.release()).isIn(ReleaseOutcome.RELEASED, ReleaseOutcome.UNCONFIRMED);
                }
                Lease meanwhile = ScheduleNodes.tryUntilHeld(holdfast.lock("another"));
                assertThat(meanwhile.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(nodes.servers())
                            .as("given back long before its ttl")
                            .allSatisfy(server -> assertThat(server.keys(KEY)).isEmpty()));
        }
    }

    /**
     * A push with megabytes of nothing goes beyond the limit. The waiter reads nothing, since Valkey 9.1 counts only what the connection does not take at once.
     * No network lets the waiter back in before the lock is free.
     */
    @Test
    @DisplayName("S26: a push is lost: the subscriber ran over its output buffer and was cut off")
    void s26_aSubscriberThatWasCutOffAsksAtOnceWhenItIsBack() throws Exception {
        try (ScheduleNodes nodes = new ScheduleNodes(1, RedisOptions.defaults());
                TcpProxy network = TcpProxy.to(nodes.server(0))) {
            RedisProcess server = nodes.server(0);
            Lease held = ScheduleNodes.acquire(nodes.client(), 1);
            Holdfast waiter = nodes.clientOf(settings -> settings, network.uri().toString());
            CompletableFuture<Lease> waiting = waiter.lock(LOCK).acquireAsync(Duration.ofMinutes(5));
            LiveNodes.awaitWaiters(waiter, LOCK, 1);
            server.faults().limitPushBuffer(100_000);
            network.refuse();
            network.stall(Direction.TO_CLIENT);
            for (Object channel : channels(server, waiter)) {
                server.send("PUBLISH", channel.toString(), "x".repeat(20_000_000));
            }
            await("the server cuts the subscriber off")
                    .atMost(SOON)
                    .until(() -> channels(server, waiter).isEmpty());
            network.cut(Disconnect.RST);
            held.release();
            assertThat(waiting).as("granted, and nobody was told").isNotDone();
            assertThat((String) server.send("GET", KEY)).startsWith(waiter.client());

            network.pass();

            assertThat(waiting.get(10, TimeUnit.SECONDS).isHeld())
                    .as("long before its next question")
                    .isTrue();
        }
    }

    private static List<?> channels(RedisProcess server, Holdfast client) {
        return (List<?>) server.send("PUBSUB", "CHANNELS", "*" + client.client());
    }

    /** At every moment at most two of five stand still; what was sent to them is done when they go on. */
    @Test
    @DisplayName("S30: a random subset is stopped one by one and freed in random order")
    void s30_whateverNodesStandStillTheLockGoesOn() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (LiveNodes live = new LiveNodes(5)) {
            List<Holdfast> clients = List.of(live.client(), live.client());
            long token = 0;
            for (int round = 0; round < 10; round++) {
                List<Integer> nodes =
                        new ArrayList<>(IntStream.range(0, 5).boxed().toList());
                Collections.shuffle(nodes, random);
                List<Integer> stopped = nodes.subList(0, random.nextInt(3));
                for (int node : stopped) {
                    live.server(node).pause();
                    token = risen(token, clients.get(round % 2), seed);
                }
                Collections.shuffle(stopped, random);
                for (int node : stopped) {
                    live.server(node).resume();
                    token = risen(token, clients.get((round + 1) % 2), seed);
                }
            }
        }
    }

    private static long risen(long before, Holdfast client, long seed) throws InterruptedException {
        try (Lease lease = client.lock(LOCK).acquire(SOON)) {
            assertThat(lease.fencingToken()).as("seed %d", seed).isGreaterThan(before);
            return lease.fencingToken();
        }
    }

    @Test
    @DisplayName("S31: every answer of one node comes just under its timeout, and validity is eaten up")
    void s31_oneNodeThatDawdlesCostsNoValidity() throws Exception {
        Duration dawdling = Duration.ofSeconds(2);
        try (Stalls stalls = new Stalls();
                ScheduleNodes nodes = new ScheduleNodes(3, RedisOptions.defaults());
                TcpProxy slow = TcpProxy.to(nodes.server(0))) {
            Holdfast holdfast = nodes.clientOf(
                    settings -> settings,
                    slow.uri().toString(),
                    nodes.server(1).uri().toString(),
                    nodes.server(2).uri().toString());
            ScheduleNodes.tryUntilHeld(holdfast.lock(LOCK)).release();
            slow.delay(dawdling, Direction.TO_CLIENT);

            for (int i = 0; i < 5; i++) {
                long before = System.nanoTime();
                Lease lease = ScheduleNodes.tryUntilHeld(holdfast.lock("another"));
                Duration remaining = lease.remaining();
                assertThat(remaining.plus(stalls.between(before, System.nanoTime())))
                        .isGreaterThan(ScheduleNodes.TTL
                                .multipliedBy(99)
                                .dividedBy(100)
                                .minus(dawdling.dividedBy(2)));
                lease.release();
            }
        }
    }
}
