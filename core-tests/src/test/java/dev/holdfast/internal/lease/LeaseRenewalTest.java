package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.drift;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Lease;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Automatic extension: its time, its target, and the votes that it restores. */
class LeaseRenewalTest {

    private static final Duration TTL = seconds(30);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private List<AcquireRequest> extensions(int node) {
        return a.node(node).acquires().stream().filter(AcquireRequest::heal).toList();
    }

    @Test
    void itIsExtendedAtAThirdOfItsValidity() {
        Lease lease = a.acquire("x");
        Duration third = lease.remaining().dividedBy(3);

        cluster.advance(third.minus(third.dividedBy(64)).minus(millis(1)));
        assertThat(extensions(0)).isEmpty();
        cluster.advance(third.dividedBy(64).plus(millis(1)));

        for (int node = 0; node < 3; node++) {
            assertThat(extensions(node)).singleElement().satisfies(request -> {
                assertThat(request.floor()).isEqualTo(lease.fencingToken());
                assertThat(request.ttlMillis()).isEqualTo(TTL.toMillis());
                assertThat(request.queue()).isFalse();
            });
        }
        assertThat(lease.remaining())
                .isBetween(TTL.minus(drift(TTL)).minus(third.dividedBy(64)), TTL.minus(drift(TTL)));
    }

    @Test
    void leasesMadeAroundTheSameTimeAreExtendedAtOneMoment() {
        for (int i = 0; i < 20; i++) {
            a.acquire("lock-" + i);
            cluster.advance(millis(5));
        }
        Set<Integer> counts = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            cluster.advance(millis(1));
            counts.add(extensions(0).size());
        }

        assertThat(extensions(0)).hasSize(20);
        assertThat(counts).as("none, some and all, or none and all").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void itIsHeldForAsLongAsItsHolderWants() {
        Lease lease = a.acquire("x");

        cluster.advance(Duration.ofHours(3));

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(b.tryAcquire("x").isHeld()).isFalse();
    }

    @Test
    void withoutAutoExtendItIsNotExtended() {
        Lease lease = a.acquire(a.lock("x").autoExtend(false));

        cluster.advance(TTL);

        assertThat(extensions(0)).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void afterAFailureItIsTriedAgainUntilItSucceeds() {
        Lease lease = a.acquire("x");
        a.nodes(0, 1).forEach(node -> node.answers().lose());
        cluster.advance(seconds(20));
        assertThat(lease.remaining()).isLessThan(seconds(10));

        a.nodes(0, 1).forEach(node -> node.answers().pass());

        cluster.advance(seconds(2));
        assertThat(lease.remaining()).isGreaterThan(seconds(27));
    }

    /** The pause is an eighth of what is left, so that a short outage costs no lease. */
    @Test
    void aShortLeaseIsTriedAgainOftenBeforeItIsLost() {
        Lease lease = a.acquire(a.lock("x").ttl(seconds(2)));
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        cluster.advance(seconds(2));

        assertThat(lease.isHeld()).isFalse();
        assertThat(extensions(2)).hasSizeGreaterThan(10);
    }

    @Test
    void aNodeThatWasDownIsHealedIntoTheLease() {
        cluster.server(2).stop();
        Lease lease = a.acquire("x");
        assertThat(cluster.votes(lease)).isEqualTo(2);

        cluster.server(2).start();
        cluster.advance(seconds(11));

        assertThat(cluster.votes(lease)).isEqualTo(3);
    }

    @Test
    void aNodeThatForgotIsHealedIntoTheLeaseOnceItsQuarantineIsOver() {
        Lease lease = a.acquire("x");
        cluster.server(2).stop();
        cluster.server(2).startEmpty(TTL);
        cluster.advance(seconds(25));
        assertThat(cluster.votes(lease)).as("in quarantine").isEqualTo(2);

        cluster.advance(seconds(25));

        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(b.tryAcquire("x").isHeld()).isFalse();
    }

    @Test
    void tokensStillRiseAfterAHealedNodeHasBasedItsFenceAnew() {
        Lease lease = a.acquire("x");
        cluster.server(2).stop();
        cluster.server(2).startEmpty(TTL);
        cluster.advance(seconds(60));
        lease.release();
        cluster.server(0).stop();

        assertThat(b.acquire("x").fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void twoNodesOfThreeThatForgetOneAfterTheOtherLoseNothing() {
        Lease lease = a.acquire("x");
        for (int server = 0; server < 3; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty(TTL);
            cluster.advance(seconds(60));
            assertThat(lease.isHeld()).isTrue();
            assertThat(cluster.votes(lease)).isEqualTo(3);
        }
    }

    @Test
    void aLeaseFromTheQueueIsShortAtFirstAndExtendedEarly() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(millis(100));
        held.release();
        Lease lease = cluster.await(waiting);
        assertThat(lease.remaining()).isLessThan(seconds(10));

        cluster.advance(seconds(4));

        assertThat(extensions(0)).hasSize(1);
        assertThat(lease.remaining()).isGreaterThan(seconds(28));
    }

    @Test
    void aShortOneIsExtendedToItsFullTtlOnceThoughItIsNotExtendedByItself() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue(a.lock("x").autoExtend(false));
        held.release();
        Lease lease = cluster.await(waiting);

        cluster.advance(seconds(20));
        assertThat(lease.isHeld()).isTrue();
        assertThat(extensions(0)).hasSize(1);

        cluster.advance(seconds(20));
        assertThat(lease.isHeld()).isFalse();
        assertThat(extensions(0)).hasSize(1);
    }

    /** One of the lease's votes was requested long before, so its end, counted from the grant, looks as late as that of a full vote. */
    @Test
    void soIsOneWhoseVotesBeganAtDifferentTimes() {
        b.nodes(0, 1).forEach(node -> node.requests().lose());
        b.tryAcquire("x"); // puts the fence at 2 one ahead, so that all later votes bear the same fence
        b.nodes(0, 1).forEach(node -> node.requests().pass());
        b.node(2).requests().lose();
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue(a.lock("x").autoExtend(false));
        a.node(2).requests().lose(); // its vote is not extended
        cluster.advance(seconds(24));
        held.releaseAsync();
        cluster.world().drain();
        Lease lease = waiting.join();
        assertThat(lease.remaining()).isLessThan(seconds(10));

        a.node(2).requests().pass();
        cluster.advance(seconds(12));

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void nothingIsExtendedAfterTheRelease() {
        Lease lease = a.acquire("x");
        lease.release();

        cluster.advance(seconds(60));

        assertThat(extensions(0)).isEmpty();
        assertThat(a.machine().pendingTimers()).isLessThanOrEqualTo(1);
    }

    @Test
    void anExtensionUnderWayWhenTheLeaseIsReleasedMakesNoVoteAnew() {
        Lease lease = a.acquire("x");
        a.nodes().forEach(node -> node.requests().hold());
        cluster.advance(seconds(10));
        assertThat(extensions(0)).hasSize(1);
        lease.releaseAsync();
        cluster.world().drain();

        a.nodes().forEach(node -> {
            node.requests().releaseLast(); // the release overtakes the extension, over a new connection
            node.requests().pass();
            node.disconnect("reset"); // ends the old connection, whose answer reaches its client late
            node.reconnect();
        });
        cluster.world().drain();
        a.nodes().forEach(node -> node.requests().release());

        assertThat(cluster.traces("x")).isZero();
    }
}
