package dev.holdfast.schedules;

import static dev.holdfast.Spans.drift;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FencedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Schedules in which a holder is slow, late or hung, by their numbers in docs/explanation/guarantees.md; five nodes, two clients. */
class HolderSchedulesTest {

    private static final Duration TTL = seconds(2);
    private static final Duration NODE_TIMEOUT = millis(100);

    private final FakeCluster cluster = new FakeCluster(5);
    private final FakeClient a = client("a");
    private final FakeClient b = client("b");

    private FakeClient client(String name) {
        return cluster.client(
                name,
                settings -> settings.lockOptions(options -> options.ttl(TTL).waiterTtl(TTL)));
    }

    @Test
    @DisplayName("S1: the holder pauses between its look at the clock and its write")
    void s01_aHolderThatPausesBeforeItsWriteIsRefusedByTheResourceOnly() {
        FencedStore store = new FencedStore();
        Lease stale = a.acquire("x");
        stale.ensureHeld(); // the last check

        a.pause();
        cluster.advance(TTL);
        Lease fresh = b.acquire("x");
        assertThat(store.write(fresh.fencingToken(), "b")).isTrue();
        assertThat(store.write(stale.fencingToken(), "a"))
                .as("a goes on with its write")
                .isFalse();

        assertThat(store.guarded()).isEqualTo("b");
        assertThat(store.unguarded()).as("what no lock prevents").isEqualTo("a");
        a.resume();
        assertThatThrownBy(stale::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(fresh.isHeld()).isTrue();
    }

    /** The client checks the clock after the first majority, after a raise, and after a push. */
    @Test
    @DisplayName("S2: a pause during the acquisition, answers read after expiry")
    void s02_votesThatHaveExpiredWhenTheyAreReadMakeNoLease() {
        a.nodes().forEach(node -> node.answers().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        a.machine().pause();
        cluster.advance(TTL);
        Lease between = b.acquire("x");

        a.nodes().forEach(node -> node.answers().release());
        a.resume();

        assertThat(waiting).isNotDone();
        assertThat(between.isHeld()).isTrue();
        between.release();
        assertThat(cluster.await(waiting).fencingToken()).isGreaterThan(between.fencingToken());
    }

    @Test
    @DisplayName("S2: the same after a raise")
    void s02_aRaiseWhoseAnswersAreReadTooLateMakesNoLease() {
        b.nodes(1, 2, 3, 4).forEach(node -> node.requests().lose());
        IntStream.range(0, 3).forEach(i -> b.tryAcquire("x")); // puts the fence of the first node ahead
        b.nodes().forEach(node -> node.requests().pass());
        a.nodes(3, 4).forEach(node -> node.requests().lose());
        a.nodes(1, 2).forEach(node -> node.answers().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        a.nodes(1, 2).forEach(node -> node.answers().releaseOne()); // a majority, whose votes must be raised
        a.nodes(1, 2).forEach(node -> node.answers().hold());
        cluster.world().drain();
        assertThat(a.node(1).acquires())
                .last()
                .satisfies(raise -> assertThat(raise.floor()).isPositive());
        a.machine().pause();
        cluster.advance(TTL);
        Lease between = b.acquire("x");

        a.nodes().forEach(node -> node.answers().release());
        a.resume();

        assertThat(waiting).isNotDone();
        assertThat(between.isHeld()).isTrue();
    }

    @Test
    @DisplayName("S2: the same after a wait in the queue")
    void s02_aGrantFromTheQueueThatIsReadTooLateMakesNoLease() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        a.pause();
        held.releaseAsync();
        cluster.advance(TTL.plus(millis(1)));
        Lease between = b.acquire("x");

        a.resume();

        assertThat(waiting).isNotDone();
        assertThat(between.isHeld()).isTrue();
        assertThat(between.fencingToken()).isGreaterThan(held.fencingToken());
    }

    @Test
    @DisplayName("S16: an extension succeeds at two of five")
    void s16_anExtensionByAMinorityMovesNoDeadline() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        List<Loss> losses = new ArrayList<>();
        lease.onLost(losses::add);
        cluster.advance(seconds(1));
        a.nodes(2, 3, 4).forEach(node -> node.requests().lose());

        assertThat(cluster.await(lease.extendAsync(TTL))).isEqualTo(ExtendOutcome.UNCONFIRMED);

        assertThat(cluster.server(0)
                        .state("lock:x")
                        .holders()
                        .get(0)
                        .remainingMillis()
                        .orElseThrow())
                .as("extended there")
                .isGreaterThan(seconds(1).toMillis());
        Duration left = TTL.minus(seconds(1)).minus(drift(TTL)).minus(NODE_TIMEOUT);
        assertThat(lease.remaining()).isEqualTo(left);
        cluster.advance(left);
        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).extracting(Loss::reason).containsExactly(Loss.Reason.EXPIRED);
    }

    @Test
    @DisplayName("S18: a hung worker is extended for ever")
    void s18_aHungWorkersLockIsOthersAfterItsLongestHold() {
        Lease hung = a.acquire(a.lock("x").maxHold(seconds(30)));
        CompletableFuture<Lease> waiting = b.queue("x");
        cluster.advance(millis(29_900));
        assertThat(hung.isHeld()).isTrue();

        cluster.advance(millis(100));

        assertThat(hung.isHeld()).isFalse();
        assertThat(waiting).isDone();
        assertThat(waiting.join().fencingToken()).isGreaterThan(hung.fencingToken());
    }

    @Test
    @DisplayName("S32: the release of an expired lock tries for ever")
    void s32_theReleaseOfAnExpiredLockEndsWithAnOutcome() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));
        cluster.servers().forEach(server -> server.stop());
        cluster.advance(TTL);
        assertThat(lease.isHeld()).isFalse();
        Duration before = cluster.world().elapsed();

        ReleaseOutcome outcome = cluster.await(lease.releaseAsync());

        assertThat(outcome).isIn(ReleaseOutcome.EXPIRED, ReleaseOutcome.UNCONFIRMED);
        assertThat(cluster.world().elapsed().minus(before)).isLessThanOrEqualTo(NODE_TIMEOUT);
        cluster.advance(TTL.multipliedBy(2));
        assertThat(a.machine().pendingTimers())
                .as("nothing goes on in the background")
                .isZero();
    }
}
