package dev.holdfast.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lease that is kept for a moment after its release (PROTOCOL §7). */
class LingerTest {

    private static final Duration LINGER = millis(100);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private final DistributedLock lock = a.lock("x").linger(LINGER);

    private void release(Lease lease) {
        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void itIsTakenAgainWithoutARequestUnderATokenOfItsOwn() {
        Lease first = a.acquire(lock);
        release(first);
        int asked = a.node(0).acquires().size();

        Lease second = a.acquire(lock);

        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken() + 1);
        assertThat(a.node(0).acquires()).hasSize(asked);
        assertThat(a.node(0).releases()).isEmpty();
    }

    @Test
    void itGoesBackWhenTheMomentIsOver() {
        release(a.acquire(lock));
        cluster.advance(LINGER.minusMillis(1));
        assertThat(cluster.traces("x")).isEqualTo(3);

        cluster.advance(millis(1));

        assertThat(cluster.traces("x")).isZero();
        assertThat(a.machine().pendingTimers()).isLessThanOrEqualTo(1);
    }

    @Test
    void theMomentBeginsWithTheLastRelease() {
        release(a.acquire(lock));
        for (int use = 0; use < 20; use++) {
            cluster.advance(millis(60));
            Lease again = a.acquire(lock);
            cluster.advance(millis(60));
            release(again);
        }
        assertThat(a.node(0).releases()).isEmpty();

        cluster.advance(LINGER);

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void itGoesBackAtOnceWhenSomebodyElseWaits() {
        release(a.acquire(lock));

        CompletableFuture<Lease> other = b.queue("x");

        assertThat(other).isDone();
        assertThat(cluster.world().elapsed()).isZero();
    }

    @Test
    void itDoesNotLingerWhenSomebodyElseWaitsAlready() {
        Lease lease = a.acquire(lock);
        CompletableFuture<Lease> other = b.queue("x");
        release(lease);
        cluster.world().drain();

        assertThat(other).isDone();
    }

    @Test
    void aMomentThatIsLongerThanTheTtlIsKept() {
        DistributedLock brief = a.lock("x").ttl(seconds(2)).linger(seconds(50));
        Lease first = a.acquire(brief);
        release(first);
        cluster.advance(seconds(49));

        assertThat(a.acquire(brief).fencingToken()).isEqualTo(first.fencingToken() + 1);
    }

    @Test
    void aMomentThatIsLongerThanTheTtlEnds() {
        release(a.acquire(a.lock("x").ttl(seconds(2)).linger(seconds(20))));
        cluster.advance(seconds(20).minusMillis(1));
        assertThat(cluster.traces("x")).isEqualTo(3);

        cluster.advance(millis(1));

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void oneThatIsLostWhileItLingersIsNobodysLoss() {
        release(a.acquire(a.lock("x").ttl(seconds(2)).linger(seconds(50))));
        a.nodes().forEach(node -> node.disconnect("cut"));
        cluster.advance(seconds(3));
        a.nodes().forEach(node -> node.reconnect());
        cluster.advance(seconds(3));

        assertThat(b.acquire("x").isHeld()).isTrue();
    }

    @Test
    void manyUsesTakeFewRequests() {
        long token = 0;
        for (int use = 0; use < 5_000; use++) {
            Lease lease = a.acquire(lock);
            assertThat(lease.fencingToken()).isGreaterThan(token);
            token = lease.fencingToken();
            release(lease);
            cluster.advance(millis(1));
        }

        assertThat(a.node(0).acquires()).hasSizeLessThan(20);
        assertThat(b.queue("x").join().fencingToken()).isGreaterThan(token);
    }

    @Test
    void closingGivesItBack() {
        release(a.acquire(lock));

        a.holdfast().close();

        cluster.world().drain();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void withoutHandOverThereIsNoLingering() {
        release(a.acquire(lock.localHandOver(false)));

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void momentsThatAreNoneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.linger(seconds(61)))
                .withMessage("linger is 61 s, but must be from 0 ms to 60 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.linger(millis(-1)))
                .withMessage("linger is -1 ms, but must be from 0 ms to 60 s");
    }
}
