package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockSealedException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FaultyNode;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting in the queue: the events of the observer, the times of retries, and the end of a wait without pushes. */
class WaitingTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private final List<Waiting> seen = new CopyOnWriteArrayList<>();

    private Waiting last() {
        return seen.get(seen.size() - 1);
    }

    @Test
    void theObserverSeesPlaceAndHolder() {
        Lease held = b.acquire("x");
        FakeClient c = cluster.client("c");
        CompletableFuture<Lease> first = c.queue("x");
        cluster.advance(millis(1));
        CompletableFuture<Lease> second = a.queue(a.lock("x").onWaiting(seen::add));
        cluster.advance(seconds(4));
        assertThat(last().place()).isEqualTo(2);
        assertThat(last().holder()).isEqualTo("b");
        assertThat(last().lock()).isEqualTo("x");
        assertThat(cluster.server(0).state("lock:x").waiters().get(1).owner())
                .as("the owner that the nodes know, but for the round")
                .isEqualTo(last().owner() + "/0");
        assertThat(last().waited()).isPositive();
        assertThat(last().nodes())
                .extracting(NodeReport::toString)
                .allMatch(report -> report.contains("QUEUED 2nd behind b"));

        held.release();
        cluster.advance(seconds(4));
        assertThat(last().place()).isEqualTo(1);
        assertThat(last().holder()).isEqualTo("c");

        first.join().release();
        cluster.world().drain();
        int told = seen.size();
        cluster.advance(seconds(60));
        assertThat(second.join().isHeld()).isTrue();
        assertThat(seen).as("no report follows the end of the wait").hasSize(told);
    }

    /** The nodes do not know the queue of this client, so an observer does not remove a waiter from that queue. */
    @Test
    void aWaiterBehindItsOwnClientIsReportedAsSuch() {
        Lease held = a.acquire("x");
        CompletableFuture<Lease> first = a.queue("x");
        CompletableFuture<Lease> second = a.queue(a.lock("x").onWaiting(seen::add));
        cluster.advance(millis(2)); // the client requests tokens a moment later

        assertThat(cluster.server(0).state("lock:x").waiters()).isEmpty();
        assertThat(last().place()).isEqualTo(2);
        assertThat(last().holder()).isEqualTo("a, which is this client");
        assertThat(held.owner()).startsWith(last().owner() + "/");
        assertThat(last().nodes())
                .hasSize(3)
                .extracting(NodeReport::toString)
                .allMatch(report -> report.contains("HELD by a, which is this client"));

        cluster.await(held.releaseAsync());
        cluster.advance(millis(2));
        assertThat(first.join().isHeld()).isTrue();
        assertThat(last().place()).isEqualTo(1);

        cluster.await(first.join().releaseAsync());
        Lease lease = cluster.await(second);
        int told = seen.size();
        CompletableFuture<Lease> third = a.queue("x");
        cluster.await(lease.releaseAsync());
        cluster.await(third);
        assertThat(seen).as("no report follows the end of the wait").hasSize(told);
        assertThat(a.node(0).releases()).as("one lease for all").isEmpty();
    }

    @Test
    void aWaiterThatLeavesMovesUpThoseBehindIt() {
        a.acquire("x");
        CompletableFuture<Lease> first = a.queue("x");
        a.queue(a.lock("x").onWaiting(seen::add));
        cluster.world().drain();
        assertThat(last().place()).isEqualTo(2);

        first.cancel(true);
        cluster.world().drain();

        assertThat(last().place()).isEqualTo(1);
    }

    @Test
    void theAttemptThatWaitersShareReportsToAllOfThem() {
        Lease held = b.acquire("x");
        List<Waiting> behind = new CopyOnWriteArrayList<>();
        CompletableFuture<Lease> first = a.queue("x");
        CompletableFuture<Lease> second = a.queue(a.lock("x").onWaiting(seen::add));
        cluster.advance(seconds(1));
        CompletableFuture<Lease> third = a.queue(a.lock("x").onWaiting(behind::add));
        cluster.advance(seconds(4));

        assertThat(cluster.server(0).state("lock:x").waiters())
                .as("one for all")
                .hasSize(1);
        assertThat(last().place()).isEqualTo(2);
        assertThat(last().holder()).isEqualTo("b");
        assertThat(last().owner() + "/0")
                .isEqualTo(cluster.server(0).state("lock:x").waiters().get(0).owner());
        Waiting ofThird = behind.get(behind.size() - 1);
        assertThat(ofThird.place()).isEqualTo(3);
        assertThat(last().waited().minus(ofThird.waited()))
                .as("each its own time")
                .isEqualTo(seconds(1));

        held.release();
        cluster.await(first);
        assertThat(last().holder()).isEqualTo("a, which is this client");
        assertThat(last().place()).isEqualTo(1);
        cluster.await(first.join().releaseAsync());
        cluster.await(cluster.await(second).releaseAsync());
        assertThat(cluster.await(third).isHeld()).isTrue();
    }

    @Test
    void whoDoesNotWaitIsNotObserved() {
        b.acquire("x");

        a.tryAcquire(a.lock("x").onWaiting(seen::add), Duration.ZERO);

        assertThat(seen).isEmpty();
    }

    @Test
    void aSlowObserverIsToldOneThingAtATimeAndTheLatestWhenItIsReady() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        Timing timing = Timing.system("server");
        MemoryNode server = new MemoryNode("server", timing, 86_400_000);
        List<FaultyNode> nodes = new CopyOnWriteArrayList<>();
        try (Holdfast holdfast = Holdfast.builder()
                        .node(context -> {
                            nodes.add(new FaultyNode(
                                    "server",
                                    timing,
                                    context.listener(),
                                    fresh -> server.connect(context.client(), fresh)));
                            return nodes.get(0);
                        })
                        .lockOptions(options -> options.waiterTtl(millis(300))) // asks every 100 ms
                        .connect();
                Lease held = holdfast.lock("x").acquire()) {
            DistributedLock lock = holdfast.lock("x").localHandOver(false).onWaiting(state -> {
                seen.add(state);
                awaitQuietly(slow);
            });
            CompletableFuture<Lease> waiting = lock.acquireAsync(DistributedLock.FOREVER);
            await().until(() -> asked(nodes) >= 6);
            assertThat(seen).as("not told again while it is busy").hasSize(1);

            slow.countDown();
            await().until(() -> seen.size() >= 3);

            assertThat(seen).extracting(Waiting::waited).isSortedAccordingTo(Comparator.naturalOrder());
            assertThat(seen.get(1).waited())
                    .as("what came in between is left out")
                    .isGreaterThan(millis(300));
            assertThat(held.isHeld()).isTrue();
            waiting.cancel(true);
        } finally {
            slow.countDown();
            timing.scheduler().close();
        }
    }

    private static long asked(List<FaultyNode> nodes) {
        return nodes.get(0).acquires().stream().filter(AcquireRequest::queue).count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anObserverThatThrowsDisturbsNobody() {
        Lease held = b.acquire("x");
        try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.lease.Callbacks")) {
            CompletableFuture<Lease> waiting = a.queue(a.lock("x").onWaiting(state -> {
                throw new IllegalStateException("in an observer");
            }));
            cluster.advance(seconds(10));
            held.release();

            assertThat(cluster.await(waiting).isHeld()).isTrue();
            assertThat(log.messages(Level.SEVERE)).isNotEmpty();
        }
    }

    @Test
    void aPlaceIsKeptByAskingThreeTimesInItsLife() {
        b.acquire("x");
        a.queue("x");

        cluster.advance(seconds(60));

        assertThat(a.node(0).acquires()).hasSizeBetween(18, 20);
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(1);
    }

    @Test
    void theEndOfAVoteIsWaitedForNoLongerThanItLasts() {
        b.acquire(b.lock("x").autoExtend(false).ttl(seconds(2)));
        b.kill();

        Lease lease = a.tryAcquire(a.lock("x"), seconds(10)).lease();

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.world().elapsed()).isBetween(seconds(2), millis(2_010));
    }

    @Test
    @DisplayName("S27: the head of the queue is dead, and the queue stands still")
    void s27_aWaiterThatWasKilledDelaysTheRestByItsWaiterTtlAtMost() {
        Lease held = b.acquire("x");
        FakeClient dead = cluster.client("dead");
        dead.queue("x");
        cluster.advance(millis(1));
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(1));
        dead.kill();
        held.release();
        Duration released = cluster.world().elapsed();

        cluster.await(waiting);

        assertThat(cluster.world().elapsed().minus(released))
                .isLessThanOrEqualTo(seconds(10).plusMillis(10));
    }

    @Test
    void aForeignHolderIsPolledForWithBackOff() {
        Blocker foreign = new Blocker(Blocker.Kind.FOREIGN, "0xdeadbeef", OptionalLong.empty());
        a.nodes()
                .forEach(node ->
                        node.answerAcquires(request -> cluster.world().elapsed().compareTo(seconds(20)) < 0
                                ? new Queued(0, 5, 1, foreign, 0, 0)
                                : null));

        Lease lease =
                a.tryAcquire(a.lock("x").onWaiting(seen::add), seconds(30)).lease();

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.world().elapsed()).isBetween(seconds(20), seconds(21));
        assertThat(a.node(0).acquires())
                .as("half a second apart at most, a quarter on average")
                .hasSizeBetween(40, 140);
        assertThat(seen.get(0).holder()).isEqualTo("a foreign client ('0xdeadbeef')");
    }

    @Test
    void waitingWithoutEndGoesOnThroughTheLossOfAllNodes() {
        CompletableFuture<Lease> waiting;
        FakeClient patient = cluster.client("patient", settings -> settings.noQuorumTimeout(DistributedLock.FOREVER));
        cluster.servers().forEach(server -> server.stop());
        waiting = patient.queue("x");
        cluster.advance(Duration.ofMinutes(5));
        assertThat(waiting).isNotDone();

        cluster.servers().forEach(server -> server.start());
        cluster.advance(seconds(1));

        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void withoutAMajorityTheWaitEndsWithWhatEachNodeSaid() {
        a.node(0).disconnect("connection refused");
        a.node(1).quarantine(Duration.ofHours(1));
        List<Throwable> thrown = new ArrayList<>();

        a.lock("x").acquireAsync(seconds(5)).whenComplete((lease, failure) -> thrown.add(failure));
        cluster.advance(seconds(6));

        assertThat(thrown)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(NoQuorumException.class)
                        .hasMessageContaining("2 of 3 nodes answered, but 1 is quarantined; a majority votes in 59 min")
                        .hasMessageContaining("fake:A: ERROR connection refused")
                        .hasMessageContaining("fake:B: QUARANTINED, 59 min")
                        .hasMessageContaining("fake:C: GRANTED"));
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aSealEndsTheWaitAtOnceAndTellsTheOtherNodes() {
        cluster.servers().get(0).state("lock:x");
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        a.node(1)
                .answerAcquires(request -> new dev.holdfast.node.AcquireAnswer.Sealed(
                        new dev.holdfast.node.Seal("billing@host-7~00000000/1/0", 5_000, 60_000)));
        cluster.advance(seconds(4));

        assertThat(waiting).isCompletedExceptionally();
        assertThat(waiting.handle((lease, failure) -> failure).join()).isInstanceOf(LockSealedException.class);
        assertThat(cluster.server(0).state("lock:x").seal()).isNotNull();
        assertThat(held.isHeld()).isTrue();
    }
}
