package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases that another client of the same nodes continues: {@link DistributedLock#adoptAsync}. */
class AdoptedLeaseTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private final FakeClient c = cluster.client("c");

    private static DistributedLock lock(FakeClient client) {
        return client.lock("x").ttl(seconds(10)).autoExtend(false).localHandOver(false);
    }

    private Lease shared() {
        Lease lease = a.acquire(lock(a));
        lease.share();
        return lease;
    }

    private Lease adopted(FakeClient by, Lease lease) {
        return cluster.await(adopt(by, lease));
    }

    private static CompletableFuture<Lease> adopt(FakeClient by, Lease lease) {
        return lock(by).adoptAsync(lease.share());
    }

    private ExtendOutcome extend(Lease lease) {
        return cluster.await(lease.extendAsync(seconds(10)));
    }

    private void assertIsLost(CompletableFuture<Lease> adoption) {
        assertThatThrownBy(() -> cluster.await(adoption)).hasRootCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void anotherClientExtendsTheLeaseOfADeadClient() {
        Lease lease = shared();
        a.kill();
        cluster.advance(seconds(6));

        Lease adopted = adopted(b, lease);
        assertThat(adopted.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(adopted.owner()).isEqualTo(lease.owner());
        assertThat(adopted.remaining()).isBetween(seconds(3), seconds(4));
        assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);

        cluster.advance(seconds(9));
        assertThat(adopted.isHeld()).isTrue();
        assertThat(c.tryAcquire("x").isHeld()).isFalse();
        cluster.advance(seconds(2));
        assertThat(c.acquire("x").fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void theFirstClientsDeadlineDoesNotEndALeaseThatAnotherOneExtends() {
        Lease lease = shared();
        List<Loss> losses = new ArrayList<>();
        lease.onLost(losses::add);
        cluster.advance(seconds(6));
        extend(adopted(b, lease));

        cluster.advance(seconds(5));

        assertThat(losses).hasSize(1);
        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(c.tryAcquire("x").isHeld()).isFalse();
        assertThat(adopted(a, lease).remaining()).isBetween(seconds(4), seconds(5));
    }

    @Test
    void bothClientsMayExtend() {
        Lease lease = shared();
        Lease adopted = adopted(b, lease);
        CompletableFuture<ExtendOutcome> one = lease.extendAsync(seconds(10));
        CompletableFuture<ExtendOutcome> other = adopted.extendAsync(seconds(10));

        assertThat(cluster.await(one)).isEqualTo(ExtendOutcome.EXTENDED);
        assertThat(cluster.await(other)).isEqualTo(ExtendOutcome.EXTENDED);
        cluster.advance(seconds(9));
        assertThat(c.tryAcquire("x").isHeld()).isFalse();
    }

    @Test
    void noClientRevivesALeaseThatAnotherOneHasReleased() {
        Lease lease = shared();
        Lease adopted = adopted(b, lease);

        assertThat(cluster.await(adopted.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(extend(lease)).isEqualTo(ExtendOutcome.LOST);
        assertThat(cluster.traces("x")).isZero();
        assertIsLost(adopt(b, lease));
        assertIsLost(adopt(c, lease));
    }

    @Test
    void anExtensionThatArrivesAfterTheReleaseOfAnotherClientRestoresNothing() {
        Lease lease = shared();
        Lease adopted = adopted(b, lease);
        b.node(0).requests().delay(Duration.ofMillis(20));
        b.node(1).requests().delay(Duration.ofMillis(20));
        CompletableFuture<ExtendOutcome> extension = adopted.extendAsync(seconds(10));

        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(cluster.await(extension)).isEqualTo(ExtendOutcome.LOST);
        cluster.advance(seconds(1));
        assertThat(cluster.traces("x")).isZero();
        assertThat(c.acquire("x").isHeld()).isTrue();
    }

    @Test
    void aReleaseIsFinalAlthoughANodeHasLostItsTombstone() {
        Lease lease = shared();
        Lease adopted = adopted(b, lease);
        a.node(2).requests().lose(); // so the vote of this node outlives the release
        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        cluster.server(0).stop();
        cluster.server(0).startEmpty();

        assertThat(extend(adopted)).isEqualTo(ExtendOutcome.UNCONFIRMED); // the node is quarantined
        assertIsLost(adopt(c, lease));
    }

    @Test
    void theReleaseOfAnAdoptedLeaseLeavesTombstones() {
        Lease lease = shared();
        Lease adopted = adopted(b, lease);
        cluster.server(2).stop();
        cluster.server(2).startEmpty(Duration.ZERO);
        assertThat(extend(lease)).isEqualTo(ExtendOutcome.EXTENDED);

        assertThat(cluster.await(adopted.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(extend(lease)).isEqualTo(ExtendOutcome.LOST); // it would restore the vote of the last node
        assertThat(cluster.votes(lease)).isZero();
    }

    @Test
    void surviveThatAllNodesRestartOneAfterTheOther() {
        Lease lease = shared();
        a.kill();
        Lease adopted = adopted(b, lease);
        for (int server = 0; server < 3; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty(Duration.ZERO);
            cluster.advance(seconds(1));
            assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);
            assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);
            assertThat(cluster.votes(lease)).isEqualTo(3);
        }
        assertThat(adopted(c, lease).isHeld()).isTrue();
    }

    @Test
    void anAdoptionWithoutMajorityIsNotConfirmed() {
        Lease lease = shared();
        cluster.server(0).stop();
        cluster.server(1).stop();

        assertThatThrownBy(() -> adopted(b, lease)).hasRootCauseInstanceOf(NoQuorumException.class);

        cluster.server(0).start();
        assertThat(adopted(b, lease).isHeld()).isTrue();
    }

    @Test
    void anExpiredLeaseIsLost() {
        Lease lease = shared();
        a.kill();
        cluster.advance(seconds(11));

        assertIsLost(adopt(b, lease));
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void anAdoptedLeaseEndsBeforeItsVotesAlthoughTheClientsClockIsSlow() {
        Lease lease = shared();
        a.kill();
        cluster.advance(seconds(6));
        b.machine().drift(-9_000);
        Lease adopted = adopted(b, lease);

        cluster.advance(seconds(4));

        assertThat(c.tryAcquire("x").isHeld()).isTrue();
        assertThat(adopted.isHeld()).isFalse();
    }

    @Test
    void aLeaseThatLastsLongerThanTheClientsFencesIsNotAdoptedNorExtended() {
        FakeClient d = cluster.client("d", settings -> settings.fenceRetention(seconds(60)));
        Lease lease = shared();
        assertThat(cluster.await(lease.extendAsync(seconds(90)))).isEqualTo(ExtendOutcome.EXTENDED);
        a.kill();

        assertThatThrownBy(() -> cluster.await(d.lock("x").ttl(seconds(10)).adoptAsync(lease.share())))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fenceRetention");

        cluster.advance(seconds(91));
        assertThat(c.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void aReleaseAfterTheClientsOwnDeadlineLeavesTheLeaseToTheOtherClient() {
        Lease lease = shared();
        cluster.advance(seconds(6));
        Lease adopted = adopted(b, lease);
        assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);
        a.machine().pause();
        cluster.advance(seconds(5));
        a.machine().resume(); // its timers are late, so it does not know yet that the lease has expired

        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.EXPIRED);

        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);
    }

    @Test
    void aLeaseOfAnotherTokenOrOwnerIsNotAdopted() {
        Lease first = shared();
        cluster.await(first.releaseAsync());
        Lease second = shared();

        assertIsLost(adopt(b, first));
        assertThatThrownBy(() -> lock(b).adoptAsync("nobody 1 0 0 0")).isInstanceOf(IllegalArgumentException.class);
        assertThat(second.isHeld()).isTrue();
        assertThat(extend(second)).isEqualTo(ExtendOutcome.EXTENDED);
    }

    @Test
    void writesFollowThoseOfTheOtherClient() {
        Lease lease = shared();
        assertThat(cluster.await(lease.writeValueAsync("one"))).isEqualTo(WriteOutcome.WRITTEN);
        Lease adopted = adopted(b, lease);
        assertThat(adopted.value()).contains("one");
        assertThat(cluster.await(adopted.writeValueAsync("two"))).isEqualTo(WriteOutcome.WRITTEN);
        Lease back = adopted(a, lease);
        assertThat(cluster.await(back.writeValueAsync("three"))).isEqualTo(WriteOutcome.WRITTEN);
        cluster.await(adopted.releaseAsync());

        assertThat(c.acquire("x").value()).contains("three");
    }

    @Test
    void anAdoptedLeaseSealsTheLock() {
        Lease lease = shared();
        a.kill();

        assertThat(cluster.await(adopted(b, lease).sealAsync(seconds(60)))).isEqualTo(SealOutcome.SEALED);

        assertThat(c.tryAcquire("x").isHeld()).isFalse();
        assertIsLost(adopt(c, lease));
    }

    @Test
    void roundsThatDifferByNodeAreFollowed() {
        // c's vote at node 0 makes a retry there, so its owner id has another round
        c.node(1).requests().lose();
        c.node(2).requests().lose();
        CompletableFuture<Lease> waiting = c.queue("x");
        CompletableFuture<Lease> queued = a.queue(lock(a));
        cluster.advance(Duration.ofMillis(5));
        c.kill();
        Lease lease = cluster.await(queued);
        assertThat(waiting).isNotDone();
        a.kill();

        Lease adopted = adopted(b, lease);
        assertThat(extend(adopted)).isEqualTo(ExtendOutcome.EXTENDED);
        assertThat(cluster.await(adopted.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
