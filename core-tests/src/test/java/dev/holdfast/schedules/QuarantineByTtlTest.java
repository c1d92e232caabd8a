package dev.holdfast.schedules;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.node.ResourceState;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quarantine follows the request's lock and ttl, and never another lock (PROTOCOL §5). */
class QuarantineByTtlTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient alice = cluster.client("alice", settings -> settings.ttl(ofSeconds(10)));
    private final FakeClient bob =
            cluster.client("bob", settings -> settings.ttl(ofSeconds(10)).noQuorumTimeout(DistributedLock.FOREVER));

    private void restartAll() {
        cluster.servers().forEach(server -> {
            server.stop();
            server.startEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 5_000, 1_800_000, 86_400_000})
    void a2_anyTtlOnOneLockChangesNothingForAnother(long ttlMillis) {
        restartAll();
        cluster.advance(ofSeconds(11)); // the nodes are old enough for 10 s
        Lease healthy = alice.acquire("healthy");

        DistributedLock other = alice.lock("other").ttl(ofMillis(ttlMillis));
        Acquisition first = alice.tryAcquire(other, Duration.ZERO);
        assertThat(first.isHeld()).isEqualTo(ttlMillis <= 10_000);
        cluster.await(healthy.extendAsync(ofSeconds(10)));
        assertThat(alice.tryAcquire("third").isHeld()).isTrue();
        cluster.advance(ofSeconds(20));

        assertThat(healthy.isHeld()).isTrue();
    }

    @Test
    void a2_aLeaseThatIsExtendedForLongIsKeptByNodesThatAreYounger() {
        restartAll();
        cluster.advance(ofSeconds(11));
        Lease lease = alice.acquire("a");

        cluster.await(lease.extendAsync(ofMinutes(30)));

        assertThat(lease.remaining()).isGreaterThan(ofMinutes(29));
        assertThat(alice.tryAcquire("b").isHeld()).isTrue();
    }

    @Test
    void a2_aLeaseThatIsReleasedAfterLongChangesNothingForOtherLocks() {
        restartAll();
        cluster.advance(ofSeconds(11));
        Lease healthy = alice.acquire("healthy");
        Lease kept = alice.acquire("kept");

        kept.releaseAfter(ofMinutes(30));
        cluster.advance(ofSeconds(1));

        assertThat(alice.tryAcquire("third").isHeld()).isTrue();
        cluster.await(healthy.extendAsync(ofSeconds(10)));
        cluster.advance(ofSeconds(20));
        assertThat(healthy.isHeld()).isTrue();
        assertThat(bob.tryAcquire("kept").isHeld()).isFalse();
        assertThat(bob.tryAcquire("fourth").isHeld()).isTrue();
    }

    @Test
    void a2_aShortTtlNeedNotWaitForTheDefaultOne() {
        restartAll();
        cluster.advance(ofSeconds(3));

        assertThat(alice.tryAcquire(alice.lock("a").ttl(ofSeconds(2)), Duration.ZERO)
                        .isHeld())
                .isTrue();
        Acquisition.Refused refused = (Acquisition.Refused) alice.tryAcquire("b");
        assertThat(refused.refusal().nodes()).extracting(NodeReport::kind).containsOnly(NodeReport.Kind.QUARANTINED);
    }

    /** One node has lost the long lease, and another never had it: only the third node knows that votes for this lock last for half an hour. */
    @Test
    void a2_aNodeThatRemembersALongerTtlTellsClientsWithAShorterOne() {
        Lease before = alice.acquire(alice.lock("a").ttl(ofMinutes(30)));
        cluster.await(before.releaseAsync());
        alice.node(2).requests().lose();
        Lease held = alice.acquire(alice.lock("a").ttl(ofMinutes(30)));
        assertThat(held.isHeld()).isTrue();
        cluster.server(0).stop();
        cluster.server(0).startEmpty();
        cluster.advance(ofSeconds(11)); // old enough for bob's ttl, but not for alice's
        bob.node(1).requests().lose();

        Acquisition refused = bob.tryAcquire("a");

        assertThat(refused.isHeld()).as("server 2 remembers the longer ttl").isFalse();
        assertThat(bob.tryAcquire("b").isHeld()).as("of that lock only").isTrue();
    }

    /** Until its first extension, bob's vote lasts for the waiterTtl only, and bob relies on all of it. */
    @Test
    void a2_aNodeThatGrantsAVoteFromItsQueueRemembersTheTtlOfTheWaiter() {
        FakeClient carol = cluster.client("carol", settings -> settings.ttl(ofSeconds(1)));
        FakeClient dave = cluster.client("dave", settings -> settings.ttl(ofSeconds(1)));
        Lease before = carol.acquire("a");
        CompletableFuture<Lease> waiting = bob.queue(bob.lock("a").ttl(ofMinutes(1)));
        cluster.advance(ofMillis(100));
        cluster.await(before.releaseAsync());
        Lease held = cluster.await(waiting);
        for (int server = 0; server < 2; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty();
        }
        cluster.advance(ofMillis(1_700)); // old enough for the ttl of the next client, but not for bob's

        dave.node(1).requests().delay(ofMillis(10)); // server 2 answers before a majority has granted
        Acquisition refused = dave.tryAcquire("a");

        assertThat(held.isHeld()).isTrue();
        assertThat(refused.isHeld())
                .as("server 2 has granted bob's vote from its queue")
                .isFalse();
    }

    /** The waiter has asked nodes that do not count, and another client's request behind it would wait for no reason. */
    @Test
    void a4_aWaiterLeavesTheQueueOfANodeThatItDoesNotCount() {
        Lease held = alice.acquire("a");
        CompletableFuture<Lease> waiting = bob.queue(bob.lock("a").ttl(ofSeconds(30)));
        cluster.advance(ofSeconds(1));
        assertThat(state(0).waiters()).hasSize(1);

        bob.node(0).quarantine(ofSeconds(60)); // only bob has a reason for it
        bob.node(1).quarantine(ofSeconds(60));
        cluster.advance(ofSeconds(5));
        assertThat(state(0).waiters()).isEmpty();

        cluster.await(held.releaseAsync());
        cluster.advance(ofSeconds(1));
        assertThat(state(0).holders()).as("no vote is kept that does not count").isEmpty();
        assertThat(alice.tryAcquire("b").isHeld()).isTrue();
        assertThat(waiting).isNotDone();
        cluster.advance(ofSeconds(60));
        assertThat(waiting).isCompleted();
    }

    /** The push comes from a node of which the client has learned, since the waiter queued there, that it had lost state. */
    @Test
    void a4_aVoteThatIsPushedByAQuarantinedNodeIsReleased() {
        Lease held = alice.acquire("a");
        CompletableFuture<Lease> waiting = bob.queue("a");
        cluster.advance(ofSeconds(1));
        bob.nodes().forEach(node -> node.quarantine(ofSeconds(60)));

        cluster.await(held.releaseAsync());
        cluster.advance(ofMillis(100));

        assertThat(state(0).holders()).isEmpty();
        assertThat(alice.tryAcquire("a").isHeld()).isTrue();
        assertThat(waiting).isNotDone();
    }

    /** The votes are split between two clients that died, so the attempt retries once, and by then none of the nodes counts. */
    @Test
    void anAttemptThatDoesNotWaitEndsWhereAllNodesAreTooYoungForALongerTtl() {
        restartAll();
        cluster.advance(ofSeconds(11));
        for (int node = 0; node < 2; node++) {
            FakeClient dead = cluster.client("dead-" + node, settings -> settings.restartQuarantine(Duration.ZERO));
            dead.node(1 - node).requests().lose();
            dead.node(2).requests().lose();
            dead.lock("a").ttl(ofMinutes(30)).tryAcquireAsync(Duration.ZERO);
            cluster.world().drain();
            dead.kill();
        }

        CompletableFuture<Acquisition> asked = alice.lock("a").tryAcquireAsync(Duration.ZERO);
        cluster.advance(ofSeconds(5));

        assertThat(asked).isCompleted();
        assertThat(asked.join().isHeld()).isFalse();
    }

    private ResourceState state(int server) {
        return cluster.server(server).state(FakeCluster.resource("a"));
    }
}
