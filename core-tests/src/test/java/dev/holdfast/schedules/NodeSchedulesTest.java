package dev.holdfast.schedules;

import static dev.holdfast.Spans.drift;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules in which nodes stop, lose state or are slow, by their numbers in docs/explanation/guarantees.md; five nodes, two clients. */
class NodeSchedulesTest {

    private static final Duration TTL = seconds(2);
    private static final Duration NODE_TIMEOUT = millis(100);

    private final FakeCluster cluster = new FakeCluster(5);
    private final FakeClient a = client("a");
    private final FakeClient b = client("b");

    private FakeClient client(String name) {
        return cluster.client(
                name,
                settings -> settings.lockOptions(options -> options.ttl(TTL).waiterTtl(TTL))
                        .restartQuarantine(TTL));
    }

    /** Everything happens within one second, the unit on which absent fences are based. */
    @Test
    @DisplayName("S25: a node without memory in the intersection of two majorities: the token falls")
    void s25_tokensRiseThoughTheOnlyNodeOfBothMajoritiesHasForgotten() {
        FakeClient early = cluster.client("early", settings -> settings.ttl(millis(100)));
        FakeClient late = cluster.client("late", settings -> settings.ttl(millis(100)));
        early.nodes(3, 4).forEach(node -> node.requests().lose());
        late.nodes(0, 1).forEach(node -> node.requests().lose());
        Lease first = early.acquire("x");
        first.release();
        cluster.advance(millis(1)); // the shortest time that a crash takes
        cluster.server(2).stop();
        cluster.server(2).startEmpty();
        CompletableFuture<Lease> waiting = late.queue("x");
        assertThat(waiting).as("in quarantine").isNotDone();

        Lease second = cluster.await(waiting);

        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    }

    /** At every moment at most two nodes are stopped, so there is a majority. Each node comes back with or without its state. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    @DisplayName("S30: a random subset is stopped one by one and freed in random order")
    void s30_whateverNodesStopAndComeBackTheLockGoesOn(long seed) {
        Random random = new Random(seed);
        long token = 0;
        for (int round = 0; round < 10; round++) {
            List<Integer> nodes = new ArrayList<>(IntStream.range(0, 5).boxed().toList());
            Collections.shuffle(nodes, random);
            List<Integer> stopped = nodes.subList(0, random.nextInt(3));
            Lease lease = a.acquire("x");
            assertThat(lease.fencingToken())
                    .as("seed %d, round %d", seed, round)
                    .isGreaterThan(token);
            token = lease.fencingToken();
            CompletableFuture<Lease> waiting = b.queue("x");
            stopped.forEach(node -> step(random, () -> cluster.server(node).stop()));
            Collections.shuffle(stopped, random);
            assertThat(lease.isHeld()).as("seed %d, round %d", seed, round).isTrue();
            lease.releaseAsync();
            cluster.advance(seconds(3));
            assertThat(waiting).as("seed %d, round %d", seed, round).isDone();
            assertThat(waiting.join().fencingToken()).isGreaterThan(token);
            token = waiting.join().fencingToken();
            stopped.forEach(node -> step(random, () -> comeBack(random, node)));
            waiting.join().release();
            cluster.advance(TTL.multipliedBy(2));
            assertThat(cluster.traces("x")).as("seed %d, round %d", seed, round).isZero();
        }
    }

    private void step(Random random, Runnable fault) {
        cluster.advance(millis(random.nextInt(500)));
        fault.run();
    }

    private void comeBack(Random random, int node) {
        if (random.nextBoolean()) {
            cluster.server(node).start();
        } else {
            cluster.server(node).startEmpty();
        }
    }

    @Test
    @DisplayName("S31: every answer of one node comes just under its timeout, and validity is eaten up")
    void s31_oneNodeThatDawdlesCostsNoValidity() {
        a.node(0).answers().delay(NODE_TIMEOUT.minusMillis(1));

        for (int i = 0; i < 10; i++) {
            Duration before = cluster.world().elapsed();
            Lease lease = a.acquire("x");
            assertThat(lease.remaining()).isEqualTo(TTL.minus(drift(TTL)));
            assertThat(cluster.world().elapsed()).isEqualTo(before);
            lease.release();
            cluster.advance(NODE_TIMEOUT);
        }
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    @DisplayName("S31: and when all do")
    void s31_nodesThatAllDawdleCostOneNodeTimeoutNotFive() {
        a.nodes().forEach(node -> node.answers().delay(NODE_TIMEOUT.minusMillis(1)));

        Acquisition acquisition = a.tryAcquire("x");

        assertThat(acquisition.lease().remaining())
                .isEqualTo(TTL.minus(drift(TTL)).minus(NODE_TIMEOUT).plusMillis(1));
    }
}
