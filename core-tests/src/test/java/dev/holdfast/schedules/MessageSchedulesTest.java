package dev.holdfast.schedules;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Lease;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FaultyNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Schedules in which messages are late, lost or doubled, by their numbers in docs/explanation/guarantees.md; five nodes, two clients. */
class MessageSchedulesTest {

    private static final Duration TTL = seconds(2);
    private static final Duration WAITER_TTL = seconds(1);

    private final FakeCluster cluster = new FakeCluster(5);
    private final FakeClient a = client("a");
    private final FakeClient b = client("b");

    private FakeClient client(String name) {
        return cluster.client(
                name,
                settings -> settings.lockOptions(options -> options.ttl(TTL).waiterTtl(WAITER_TTL)));
    }

    @Test
    @DisplayName("S9: an ACQUIRE is delayed, its client gives up, and the RELEASE overtakes it: a ghost")
    void s09_aDelayedAcquireThatItsReleaseOvertakesLeavesNoVote() {
        a.nodes(0, 1, 2).forEach(node -> node.requests().hold());
        assertThat(a.tryAcquire("x").isHeld()).isFalse();

        assertThat(a.node(0).releases()).extracting(ReleaseRequest::buryMillis).containsExactly(TTL.toMillis());
        a.nodes(0, 1, 2).forEach(node -> {
            node.requests().releaseLast();
            node.requests().release();
        });

        assertThat(cluster.traces("x")).isZero();
        assertThat(b.acquire("x").isHeld()).isTrue();
    }

    @Test
    @DisplayName("S10: as S9, but the client has died instead of releasing")
    void s10_theGhostOfADeadClientEndsWithTheTtl() {
        a.nodes().forEach(node -> node.requests().hold());
        a.queue("x");
        a.machine().pause(); // for ever
        a.nodes().forEach(node -> node.answers().lose());
        a.nodes().forEach(FaultyNode::heal);
        assertThat(cluster.traces("x")).isEqualTo(5);

        Lease lease = b.tryAcquire(b.lock("x"), seconds(10)).lease();

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.world().elapsed()).isBetween(TTL, TTL.plus(millis(50)));
    }

    @Test
    @DisplayName("S10: a ghost in the queue")
    void s10_aGhostInTheQueueEndsWithItsWaiterTtl() {
        Lease held = b.acquire("x");
        a.nodes().forEach(node -> node.requests().hold());
        a.queue("x");
        a.kill();
        a.nodes().forEach(node -> node.requests().release());
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(1);

        cluster.advance(WAITER_TTL);

        held.release();
        assertThat(cluster.traces("x")).isZero();
        assertThat(b.acquire("x").isHeld()).isTrue();
    }

    @Test
    @DisplayName("S11: an answer is lost, and the client blocks itself when it asks again under a new id")
    void s11_whoAsksAgainAfterALostAnswerFindsItsOwnVote() {
        a.nodes().forEach(node -> node.answers().lose());
        CompletableFuture<Lease> waiting = a.queue("x");
        assertThat(cluster.traces("x")).isEqualTo(5);
        cluster.advance(millis(50));
        a.nodes().forEach(node -> node.answers().pass());

        cluster.advance(TTL.minus(millis(100)));

        assertThat(waiting).isDone();
        assertThat(waiting.join().isHeld()).isTrue();
        assertThat(a.node(0).acquires())
                .extracting(request -> request.owner())
                .containsOnly(a.node(0).acquires().get(0).owner());
    }

    @Test
    @DisplayName("S12: acquire, release, then a duplicate of the acquire")
    void s12_theDelayedFirstOfTwoAsksLeavesNoVoteBehindTheRelease() {
        a.node(0).requests().hold();
        CompletableFuture<Lease> waiting = a.queue("x");
        Lease lease = cluster.await(waiting);
        cluster.advance(seconds(1)); // an extension requests the vote there again
        assertThat(a.node(0).requests().held()).isGreaterThan(1);
        lease.release();
        cluster.world().drain();

        a.node(0).requests().releaseLast(); // the release arrives before all requests that it overtakes
        a.node(0).requests().release();

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    @DisplayName("S13: a release reaches two of three nodes, and nobody gets three until the ttl")
    void s13_aReleaseThatMissedANodeGoesOnUntilItHasReachedIt() {
        Duration longTtl = Duration.ofMinutes(10);
        a.nodes(3, 4).forEach(node -> node.requests().lose());
        b.nodes(3, 4).forEach(node -> node.disconnect("down"));
        Lease lease = a.acquire(a.lock("x").ttl(longTtl).autoExtend(false));
        CompletableFuture<Lease> waiting = b.queue("x");
        a.node(2).disconnect("reset");
        lease.releaseAsync();
        cluster.advance(seconds(5));
        assertThat(waiting).as("two votes of five").isNotDone();

        a.node(2).reconnect();
        cluster.advance(seconds(3));

        assertThat(waiting).isDone();
        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    @DisplayName("S13: a hand-over needs a majority only")
    void s13_aHandOverDoesNotWaitForTheNodeThatTheReleaseMissed() {
        Lease lease = a.acquire("x");
        CompletableFuture<Lease> waiting = b.queue("x");
        cluster.advance(millis(10));
        Duration before = cluster.world().elapsed();
        a.nodes(3, 4).forEach(node -> node.requests().lose());

        lease.releaseAsync();
        cluster.world().drain();

        assertThat(waiting).isDone();
        assertThat(cluster.world().elapsed()).isEqualTo(before);
    }

    @Test
    @DisplayName("S26: a push is lost, since the subscriber ran over its output buffer and was cut off")
    void s26_aWaiterThatWasCutOffAsksAtOnceWhenItIsBack() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(millis(10));
        a.nodes().forEach(node -> node.disconnect("output buffer overrun")); // the push is lost with the connection
        held.release();
        Duration before = cluster.world().elapsed();

        a.nodes().forEach(FaultyNode::reconnect);
        cluster.world().drain();

        assertThat(waiting).isDone();
        assertThat(cluster.world().elapsed()).isEqualTo(before);
    }

    @Test
    @DisplayName("S26: a push is lost, and nobody is told")
    void s26_aLostPushIsFoundAtTheNextQuestion() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(millis(10));
        a.nodes().forEach(node -> node.pushes().lose());
        held.release();
        cluster.world().drain();
        assertThat(waiting).isNotDone();

        cluster.advance(WAITER_TTL.dividedBy(3));

        assertThat(waiting).isDone();
        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    @DisplayName("S28: a waiter is granted the lock and its push is lost: held by nobody until the ttl")
    void s28_aLockThatWasGrantedToADeadWaiterIsFreeAfterItsWaiterTtl() {
        Duration longTtl = Duration.ofMinutes(10);
        Lease held = b.acquire(b.lock("x").ttl(longTtl));
        a.queue(a.lock("x").ttl(longTtl));
        cluster.advance(millis(10));
        a.kill();
        held.release();
        cluster.world().drain();
        assertThat(cluster.server(0).state("lock:x").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.owner()).startsWith("a"));
        Duration released = cluster.world().elapsed();

        Lease next = b.tryAcquire(b.lock("x"), seconds(60)).lease();

        assertThat(next.isHeld()).isTrue();
        assertThat(cluster.world().elapsed().minus(released)).isLessThanOrEqualTo(WAITER_TTL.plus(millis(50)));
    }
}
