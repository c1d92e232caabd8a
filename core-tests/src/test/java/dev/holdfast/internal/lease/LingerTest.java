package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    // ---- two round trips

    private static final Duration ONE_WAY = millis(5);
    private static final Duration TWO_ROUND_TRIPS = ONE_WAY.multipliedBy(4);

    /** Returns how long a waiter of another client waits, counted from the holder's release or the waiter's request, whichever comes last. */
    private static Duration waitAfterRelease(int servers, Duration asksAfterRelease, int turns) {
        FakeCluster far = new FakeCluster(servers);
        FakeClient holder = farClient(far, "holder");
        FakeClient waiter = farClient(far, "waiter");
        DistributedLock lingers = holder.lock("x").linger(seconds(50));
        for (int turn = 1; turn < turns; turn++) {
            far.await(holder.acquire(lingers).releaseAsync());
        }
        Lease held = holder.acquire(lingers);
        far.advance(millis(300));
        if (asksAfterRelease.isNegative()) {
            CompletableFuture<Lease> other = waiter.queue("x");
            far.advance(asksAfterRelease.negated());
            held.releaseAsync();
            return untilHeld(far, other);
        }
        held.releaseAsync();
        far.advance(asksAfterRelease);
        return untilHeld(far, waiter.queue("x"));
    }

    private static FakeClient farClient(FakeCluster far, String name) {
        FakeClient client = far.client(name);
        client.nodes().stream()
                .flatMap(node -> Stream.of(node.requests(), node.answers(), node.pushes()))
                .forEach(lane -> lane.delay(ONE_WAY));
        return client;
    }

    private static Duration untilHeld(FakeCluster far, CompletableFuture<Lease> other) {
        Duration since = far.world().elapsed();
        assertThat(far.world().runUntil(other::isDone, seconds(60))).isTrue();
        assertThat(other.join().isHeld()).isTrue();
        return far.world().elapsed().minus(since);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 60", "3, 1", "3, 40", "3, 60", "5, 1", "5, 60"})
    void c10_theNextWaiterOfAnotherClientHasTheLockWithinTwoRoundTripsOfTheRelease(int servers, int turns) {
        for (int quarter = -20; quarter <= 20; quarter++) {
            Duration asksAfterRelease =
                    ONE_WAY.multipliedBy(quarter).dividedBy(4).plusNanos(quarter * 1_000L);
            assertThat(waitAfterRelease(servers, asksAfterRelease, turns))
                    .as("asked %s after the release", asksAfterRelease)
                    .isLessThanOrEqualTo(TWO_ROUND_TRIPS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void c10_aWaiterThatTheHolderKnowsOfHasTheLockWithinOneRoundTripOfTheRelease(int servers) {
        assertThat(waitAfterRelease(servers, ONE_WAY.multipliedBy(-20), 1)).isEqualTo(ONE_WAY.multipliedBy(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void c10_aWaiterBehindAGrantFromTheQueueHasTheLockWithinOneRoundTripOfTheRelease(int servers) {
        FakeCluster far = new FakeCluster(servers);
        FakeClient first = farClient(far, "first");
        FakeClient second = farClient(far, "second");
        Lease held = first.acquire("x");
        CompletableFuture<Lease> lingers = second.queue(second.lock("x").linger(seconds(50)));
        far.advance(millis(100));
        CompletableFuture<Lease> other = farClient(far, "third").queue("x");
        far.advance(millis(100));
        held.releaseAsync();
        untilHeld(far, lingers);

        lingers.join().releaseAsync();

        assertThat(untilHeld(far, other)).isEqualTo(ONE_WAY.multipliedBy(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void c10_aWaiterThatComesWhileTheLeaseLingersHasTheLockWithinTwoRoundTrips(int servers) {
        assertThat(waitAfterRelease(servers, seconds(20), 1)).isEqualTo(TWO_ROUND_TRIPS);
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
