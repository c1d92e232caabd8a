package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.hours;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.LogRecorder;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The notifications of a lease to its holder, and manual extension. */
class LeaseSignalsTest {

    private static final Duration DRIFT = millis(302);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    // ---- contended

    @Test
    void whoWaitsIsToldOnce() {
        AtomicInteger told = new AtomicInteger();
        Lease lease = a.acquire("x").onContended(told::incrementAndGet);
        cluster.advance(seconds(15));
        assertThat(told).hasValue(0);

        b.queue("x");
        cluster.world().drain();
        assertThat(told).hasValue(1);

        cluster.client("c").queue("x");
        cluster.advance(seconds(60));
        assertThat(told).hasValue(1);
        assertThat(lease.isHeld()).as("the holder may go on").isTrue();
    }

    @Test
    void whoListensLaterIsToldAtOnce() {
        Lease lease = a.acquire("x");
        b.queue("x");
        cluster.world().drain();

        AtomicInteger told = new AtomicInteger();
        lease.onContended(told::incrementAndGet);
        cluster.world().drain();

        assertThat(told).hasValue(1);
    }

    @Test
    void aLostPushIsMadeUpForByTheNextExtension() {
        a.nodes().forEach(node -> node.pushes().lose());
        AtomicInteger told = new AtomicInteger();
        a.acquire("x").onContended(told::incrementAndGet);
        b.queue("x");

        cluster.advance(seconds(11));

        assertThat(told).hasValue(1);
    }

    @Test
    void whoWaitedBeforeTheLeaseWasMadeIsToldToo() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> second = b.queue("x");
        cluster.advance(millis(1));
        cluster.client("c").queue("x");
        first.release();
        cluster.world().drain();
        AtomicInteger told = new AtomicInteger();
        second.join().onContended(told::incrementAndGet);

        cluster.advance(seconds(4));

        assertThat(told).as("by its first extension at the latest").hasValue(1);
    }

    /** The attempt has heard of a waiter, and the lease that it becomes must not forget it. */
    @Test
    void whatTheAttemptHasHeardOfAWaiterIsNotForgotten() {
        a.node(1).requests().hold();
        a.node(2).requests().hold();
        CompletableFuture<Lease> waiting = a.queue(a.lock("x").autoExtend(false));
        cluster.advance(millis(1));
        b.node(0).requests().delay(Duration.ZERO);
        b.nodes(1, 2).forEach(node -> node.requests().lose());
        b.queue("x");
        cluster.advance(millis(1)); // b queues behind the vote at the first node, whose owner receives a notification
        a.nodes(1, 2).forEach(node -> node.requests().release());
        cluster.world().drain();
        AtomicInteger told = new AtomicInteger();

        waiting.join().onContended(told::incrementAndGet);
        cluster.world().drain();

        assertThat(told).hasValue(1);
    }

    // ---- extended

    @Test
    void everyExtensionIsToldWithWhatIsLeft() {
        List<Duration> told = new ArrayList<>();
        Lease lease = a.acquire("x").onExtended(told::add);
        cluster.world().drain();
        assertThat(told).isEmpty();

        cluster.advance(seconds(25)); // one extension after each third of the validity
        assertThat(told).hasSize(2).allSatisfy(left -> assertThat(left).isBetween(seconds(29), seconds(30)));

        lease.extendAsync(hours(1));
        cluster.world().drain();
        assertThat(told).hasSize(3);
        assertThat(told.get(2)).isGreaterThan(Duration.ofMinutes(59));
    }

    @Test
    void whoListensLaterHearsOfTheNextExtensionAndOfNoneAfterTheEnd() {
        List<Duration> told = new ArrayList<>();
        Lease lease = a.acquire("x");
        cluster.advance(seconds(11));
        lease.onExtended(told::add);
        cluster.world().drain();
        assertThat(told).isEmpty();

        cluster.advance(seconds(10));
        assertThat(told).hasSize(1);
        lease.release();
        cluster.advance(seconds(60));
        assertThat(told).hasSize(1);
    }

    /** Neither a refused extension nor a value that is written under a lease without automatic extension counts. */
    @Test
    void whatDoesNotProlongIsNoExtension() {
        List<Duration> told = new ArrayList<>();
        Lease lease = a.acquire(a.lock("x").autoExtend(false)).onExtended(told::add);
        lease.writeValueAsync("v");
        cluster.advance(seconds(5));
        a.nodes().forEach(node -> node.requests().lose());
        lease.extendAsync(seconds(30));
        cluster.advance(seconds(5));

        assertThat(lease.value()).hasValue("v");
        assertThat(told).isEmpty();
    }

    // ---- callbacks

    @Test
    void aCallbackThatThrowsIsLoggedAndKeepsNobodyFromBeingTold() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        List<Loss> losses = new ArrayList<>();
        lease.onLost(loss -> {
            throw new IllegalStateException("in a callback");
        });
        lease.onLost(losses::add);
        try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.lease.Callbacks")) {
            cluster.advance(seconds(30));

            assertThat(losses).hasSize(1);
            assertThat(log.messages(Level.SEVERE))
                    .singleElement()
                    .asString()
                    .contains("callback of a lease or a waiter failed");
        }
    }

    @Test
    void aCallbackThatBlocksHoldsUpNeitherOtherLeasesNorTheLossItself() throws Exception {
        CountDownLatch block = new CountDownLatch(1);
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            CountDownLatch told = new CountDownLatch(1);
            Lease blocked = holdfast.lock("x").maxHold(millis(100)).acquire();
            blocked.onAtRisk(risk -> awaitQuietly(block));
            Lease other = holdfast.lock("y").maxHold(millis(100)).acquire();
            other.onLost(loss -> told.countDown());

            told.await();
            assertThat(blocked.lost().toCompletableFuture().get().reason()).isEqualTo(Loss.Reason.MAX_HOLD);
            await().until(() -> holdfast.admin().status("x").holders().isEmpty());
            block.countDown();
        } finally {
            block.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCallbackMayUseTheLease() {
        List<ReleaseOutcome> outcomes = new ArrayList<>();
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        lease.onAtRisk(risk -> outcomes.add(lease.release()));

        cluster.advance(seconds(16));

        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(cluster.traces("x")).isZero();
    }

    // ---- extension by hand

    @Test
    void extensionByHandLengthens() {
        Lease lease = a.acquire("x");

        assertThat(cluster.await(lease.extendAsync(hours(1)))).isEqualTo(ExtendOutcome.EXTENDED);

        assertThat(lease.remaining())
                .isEqualTo(hours(1).minus(hours(1).dividedBy(100)).minus(millis(2)));
        assertThat(cluster.server(0)
                        .state("lock:x")
                        .holders()
                        .get(0)
                        .remainingMillis()
                        .orElseThrow())
                .isEqualTo(hours(1).toMillis());
    }

    @Test
    void extensionByHandNeverShortens() {
        Lease lease = a.acquire("x");
        Duration before = lease.remaining();

        assertThat(cluster.await(lease.extendAsync(seconds(1)))).isEqualTo(ExtendOutcome.EXTENDED);

        assertThat(lease.remaining()).isEqualTo(before);
        assertThat(before).isEqualTo(seconds(30).minus(DRIFT));
    }

    @Test
    @DisplayName("S17: an extension with a ttl of 0 or less deletes the key")
    void s17_extensionByNothingOrLessIsRefusedAndSendsNothing() {
        Lease lease = a.acquire("x");
        int sent = a.node(0).acquires().size();

        for (Duration wrong : List.of(
                Duration.ZERO, millis(-1), Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE), hours(25))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lease.extendAsync(wrong))
                    .withMessageContaining("duration is ");
        }

        assertThat(a.node(0).acquires()).hasSize(sent);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void extensionByHandBeyondWhatNodesRememberOfFencesIsRefused() {
        Lease lease = cluster.client("c", settings -> settings.fenceRetention(hours(1)))
                .acquire("x");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.extendAsync(hours(2)))
                .withMessage("duration is 2 h, but must be at most the fenceRetention of 1 h");
        assertThat(cluster.await(lease.extendAsync(hours(1)))).isEqualTo(ExtendOutcome.EXTENDED);
    }

    @Test
    void extensionByHandDoesNotGoBeyondTheLongestHold() {
        Lease lease = a.acquire(a.lock("x").maxHold(seconds(60)));

        cluster.await(lease.extendAsync(hours(1)));

        assertThat(lease.remaining()).isEqualTo(seconds(60));
        assertThat(cluster.server(0)
                        .state("lock:x")
                        .holders()
                        .get(0)
                        .remainingMillis()
                        .orElseThrow())
                .isLessThan(62_000);
    }

    @Test
    void extensionByHandWorksWithoutAutoExtend() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        cluster.advance(seconds(20));

        assertThat(cluster.await(lease.extendAsync(seconds(30)))).isEqualTo(ExtendOutcome.EXTENDED);

        cluster.advance(seconds(25));
        assertThat(lease.isHeld()).isTrue();
        cluster.advance(seconds(5));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void oneExtensionAtATimeSoTheSecondWaitsForTheFirst() {
        Lease lease = a.acquire("x");
        int before = a.node(0).acquires().size();
        a.nodes().forEach(node -> node.answers().hold());

        CompletableFuture<ExtendOutcome> first = lease.extendAsync(seconds(60)).toCompletableFuture();
        CompletableFuture<ExtendOutcome> second =
                lease.extendAsync(seconds(120)).toCompletableFuture();
        cluster.world().drain();
        assertThat(a.node(0).acquires()).hasSize(before + 1);

        a.nodes().forEach(node -> node.answers().release());
        cluster.world().drain();
        assertThat(first).isCompletedWithValue(ExtendOutcome.EXTENDED);
        assertThat(second).isCompletedWithValue(ExtendOutcome.EXTENDED);
        assertThat(lease.remaining()).isGreaterThan(seconds(110));
    }

    @Test
    void aLateAnswerStillCounts() {
        Lease lease = a.acquire("x");
        cluster.advance(seconds(5));
        a.nodes().forEach(node -> node.answers().delay(seconds(2)));
        assertThat(cluster.await(lease.extendAsync(seconds(30)))).isEqualTo(ExtendOutcome.UNCONFIRMED);
        a.nodes().forEach(node -> node.requests().lose()); // the retries

        cluster.advance(millis(1_500));

        assertThat(lease.remaining()).isEqualTo(seconds(28).minus(DRIFT));
    }
}
