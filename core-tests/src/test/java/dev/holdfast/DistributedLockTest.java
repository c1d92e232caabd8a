package dev.holdfast;

import static dev.holdfast.Spans.hours;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lock is a value: what its methods refuse, what they change, and that three settings never switch each other off. */
class DistributedLockTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");

    @Test
    void itIsAValueAndMakingItSendsNothing() {
        DistributedLock lock = a.lock("x");
        DistributedLock changed =
                lock.shared().ttl(seconds(5)).autoExtend(false).maxHold(seconds(60));

        assertThat(lock.mode()).isEqualTo(LockMode.EX);
        assertThat(lock.ttl()).isEqualTo(seconds(30));
        assertThat(changed.mode()).isEqualTo(LockMode.PR);
        assertThat(changed.ttl()).isEqualTo(seconds(5));
        assertThat(changed.name()).isEqualTo("x");
        assertThat(changed).hasToString("DistributedLock[x, PR, ttl 5 s]");
        assertThat(a.nodes()).allMatch(node -> node.acquires().isEmpty());
    }

    @Test
    void settingsReachTheNodes() {
        a.acquire(a.lock("x").mode(LockMode.CW).ttl(millis(4_321)));

        assertThat(a.node(0).acquires()).singleElement().satisfies(request -> {
            assertThat(request.resource()).isEqualTo("lock:x");
            assertThat(request.mode()).isEqualTo(LockMode.CW);
            assertThat(request.ttlMillis()).isEqualTo(4_321);
            assertThat(request.waiterTtlMillis()).isEqualTo(4_321);
            assertThat(request.queue()).isFalse();
            assertThat(request.tokens()).isEqualTo(1);
        });
    }

    @Test
    void aPlaceIsKeptForTenSecondsAtMostUnlessSetAndNeverLongerThanTheTtl() {
        FakeClient patient =
                cluster.client("patient", settings -> settings.lockOptions(options -> options.waiterTtl(hours(1))));
        patient.acquire(patient.lock("x"));
        a.tryAcquire(a.lock("x").ttl(seconds(60)), Duration.ZERO);

        assertThat(patient.node(0).acquires())
                .extracting(AcquireRequest::waiterTtlMillis)
                .containsOnly(30_000L);
        assertThat(a.node(0).acquires())
                .extracting(AcquireRequest::waiterTtlMillis)
                .containsOnly(10_000L);
    }

    @Test
    void ttlExtensionAndLongestHoldDoNotSwitchEachOtherOff() {
        Lease extended = a.acquire(a.lock("x").ttl(seconds(5)).maxHold(seconds(20)));
        cluster.advance(seconds(15));
        assertThat(extended.isHeld()).as("beyond its ttl").isTrue();
        cluster.advance(seconds(5));
        assertThat(extended.isHeld()).as("at its longest hold").isFalse();

        Lease once = a.acquire(a.lock("y").ttl(seconds(5)).maxHold(seconds(20)).autoExtend(false));
        cluster.advance(seconds(5));
        assertThat(once.isHeld()).as("not extended").isFalse();
    }

    @Test
    void hostileDurationsAreRefused() {
        DistributedLock lock = a.lock("x");
        List<Duration> hostile = List.of(
                Duration.ZERO,
                millis(-1),
                millis(1),
                Duration.ofMillis(1L << 31),
                Duration.ofMillis((1L << 53) + 1),
                Duration.ofMillis(1L << 62),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE));
        for (Duration duration : hostile) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lock.ttl(duration))
                    .withMessageStartingWith("ttl is ");
        }
        for (Duration negative : List.of(millis(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lock.tryAcquireAsync(negative))
                    .withMessageStartingWith("wait is ");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lock.acquire(negative))
                    .withMessageStartingWith("wait is ");
        }
        assertThatNullPointerException().isThrownBy(() -> lock.ttl(null));
        assertThatNullPointerException().isThrownBy(() -> lock.mode(null));
        assertThatNullPointerException().isThrownBy(() -> lock.onWaiting(null));
        assertThat(a.nodes()).allMatch(node -> node.acquires().isEmpty());
    }

    @Test
    void theShortestAndTheLongestTtlWork() {
        Lease shortest = a.acquire(a.lock("x").ttl(DistributedLock.MIN_TTL).autoExtend(false));
        assertThat(shortest.remaining()).isEqualTo(Duration.ofNanos(47_500_000));
        cluster.advance(millis(50));
        assertThat(shortest.isHeld()).isFalse();

        Lease longest = a.acquire(a.lock("y").ttl(DistributedLock.MAX_TTL));
        cluster.advance(hours(100));
        assertThat(longest.isHeld()).isTrue();
    }

    @Test
    void theShortestTtlIsKeptByItself() {
        Lease lease = a.acquire(a.lock("x").ttl(DistributedLock.MIN_TTL));

        cluster.advance(seconds(10));

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void hugeWaitsAreForEver() {
        cluster.client("b").acquire("x");

        DistributedLock lock = a.lock("x").localHandOver(false);
        assertThat(lock.acquireAsync(Duration.ofMillis(Long.MAX_VALUE))).isNotDone();
        assertThat(lock.acquireAsync(DistributedLock.FOREVER)).isNotDone();
        cluster.advance(hours(1));
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(2);
    }

    @Test
    void aLeaseIsOwnedByItsHandleNotByAThread() throws Exception {
        Lease lease = a.acquire("x");
        ReleaseOutcome[] outcome = new ReleaseOutcome[1];

        Thread thread = new Thread(() -> outcome[0] = lease.release());
        thread.start();
        thread.join();

        assertThat(outcome[0]).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void leasesAreNotReentrant() {
        a.acquire("x");

        assertThat(a.tryAcquire("x").isHeld()).isFalse();
    }
}
