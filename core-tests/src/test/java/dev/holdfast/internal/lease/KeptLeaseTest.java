package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases that are let go before their time: {@link Lease#releaseAfter}. */
class KeptLeaseTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private DistributedLock shortLock() {
        return a.lock("x").ttl(seconds(2));
    }

    @Test
    void isHeldUntilThenAndGivenBackAtOnceAfterwards() {
        Lease lease = a.acquire(shortLock());
        CompletableFuture<ReleaseOutcome> outcome =
                lease.releaseAfter(seconds(60)).toCompletableFuture();

        cluster.advance(seconds(59));
        assertThat(lease.isHeld()).isTrue();
        assertThat(b.tryAcquire("x").isHeld()).isFalse();
        assertThat(outcome).isNotDone();

        cluster.advance(seconds(1));
        assertThat(cluster.await(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void isHeldForADayAsLongAsAClientRemembersFences() {
        Lease lease = a.acquire("x");
        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAfter(DistributedLock.MAX_TTL);
        cluster.advance(DistributedLock.MAX_TTL.minusMinutes(1));
        assertThat(lease.isHeld()).isTrue();

        cluster.advance(seconds(60));
        assertThat(cluster.await(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void theLastTimeCounts() {
        Lease lease = a.acquire("x");
        lease.releaseAfter(seconds(60));
        lease.releaseAfter(seconds(10));

        cluster.advance(seconds(10));
        cluster.world().drain();

        assertThat(lease.isHeld()).isFalse();
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void timeCountsFromTheGrant() {
        Lease lease = a.acquire(shortLock());
        cluster.advance(seconds(50));
        lease.releaseAfter(seconds(60));

        cluster.advance(seconds(10));
        cluster.world().drain();

        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void goesBackNowIfItHasBeenHeldForLongEnough() {
        Lease lease = a.acquire(shortLock());
        cluster.advance(seconds(5));

        assertThat(cluster.await(lease.releaseAfter(seconds(5)))).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void nodesKeepItThoughTheProcessDies() {
        Lease lease = a.acquire(shortLock());
        lease.releaseAfter(seconds(60));
        cluster.advance(seconds(1));

        a.kill();

        cluster.advance(seconds(58));
        assertThat(b.tryAcquire("x").isHeld()).isFalse();
        cluster.advance(seconds(3));
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void thoseOfThisClientWaitForItToo() {
        DistributedLock lock = shortLock();
        Lease lease = a.acquire(lock);
        CompletableFuture<Lease> next = a.queue(lock);
        lease.releaseAfter(seconds(60));

        cluster.advance(seconds(59));
        assertThat(next).isNotDone();

        cluster.advance(seconds(1));
        assertThat(cluster.await(next).isHeld()).isTrue();
    }

    @Test
    void aReleaseBeforeGivesItBackAtOnce() {
        Lease lease = a.acquire(shortLock());
        lease.releaseAfter(seconds(60));

        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
        cluster.advance(seconds(60));
    }

    @Test
    void oneThatIsLostMeanwhileSaysSo() {
        Lease lease = a.acquire(shortLock());
        CompletableFuture<ReleaseOutcome> outcome =
                lease.releaseAfter(seconds(5)).toCompletableFuture();
        a.nodes().forEach(node -> node.requests().lose());

        cluster.advance(seconds(3));

        assertThat(cluster.await(outcome)).isEqualTo(ReleaseOutcome.EXPIRED);
    }

    @Test
    void leavesNoTimerIfTheLeaseEndsInAnotherWay() {
        Lease sealed = a.acquire(shortLock());
        sealed.releaseAfter(seconds(3_600));
        cluster.await(sealed.sealAsync(seconds(1)));
        Lease abandoned = a.acquire(a.lock("y").ttl(seconds(2)));
        abandoned.releaseAfter(seconds(3_600));
        abandoned.abandon();
        Lease lost = a.acquire(a.lock("z").ttl(seconds(2)).maxHold(seconds(10)));
        lost.releaseAfter(seconds(3_600));
        cluster.advance(seconds(60));

        assertThat(lost.isHeld()).isFalse();
        assertThat(a.machine().pendingTimers()).isZero();
    }

    @Test
    void neverLongerThanTheLongestHold() {
        Lease lease = a.acquire(shortLock().maxHold(seconds(10)));

        assertThat(cluster.await(lease.releaseAfter(seconds(60)))).isEqualTo(ReleaseOutcome.EXPIRED);
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void refusesWhatCannotBe() {
        Lease lease = a.acquire("x");

        assertThatThrownBy(() -> lease.releaseAfter(millis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("held is -1 ms");
        assertThatThrownBy(() -> lease.releaseAfter(seconds(90_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 0 ms to 24 h");
        assertThat(lease.isHeld()).isTrue();
    }
}
