package dev.holdfast.recipe;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At most n at the same time. */
class LockSemaphoreTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private final FakeClient c = cluster.client("c");

    private Acquisition tryAcquire(FakeClient client, int permits) {
        return cluster.await(client.holdfast().semaphore("api", permits).tryAcquireAsync(Duration.ZERO));
    }

    private CompletableFuture<Acquisition> queue(FakeClient client, int permits) {
        CompletableFuture<Acquisition> waiting =
                client.holdfast().semaphore("api", permits).tryAcquireAsync(seconds(60));
        cluster.advance(millis(20));
        return waiting;
    }

    private int traces(int permits) {
        int traces = cluster.traces("api#gate");
        for (int place = 0; place < permits; place++) {
            traces += cluster.traces("api#" + place);
        }
        return traces;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void soManyGetInAndNoMore(int permits) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < permits; i++) {
            leases.add(tryAcquire(i % 2 == 0 ? a : b, permits).lease());
        }

        Acquisition none = tryAcquire(c, permits);

        assertThat(((Acquisition.Refused) none).refusal())
                .extracting(Refusal::lock, Refusal::reason)
                .containsExactly("api", Refusal.Reason.HELD);
        assertThatThrownBy(none::lease).isInstanceOf(LockTimeoutException.class).hasMessageContaining("'api'");
        leases.forEach(lease -> cluster.await(lease.releaseAsync()));
        assertThat(traces(permits)).isZero();
    }

    @Test
    void noPermitLingers() {
        LockSemaphore lingering =
                a.holdfast().semaphore("api", 1).options(options -> options.linger(Duration.ofMinutes(1)));
        for (FakeClient next : List.of(a, b)) {
            Lease permit =
                    cluster.await(lingering.tryAcquireAsync(Duration.ZERO)).lease();
            cluster.await(permit.releaseAsync());

            Lease other = tryAcquire(next, 1).lease();
            cluster.await(other.releaseAsync());
        }
        assertThat(traces(1)).isZero();
    }

    @Test
    void aPermitThatIsGivenBackGoesToWhoWaited() {
        Lease first = tryAcquire(a, 2).lease();
        tryAcquire(a, 2);
        CompletableFuture<Acquisition> waiting = queue(b, 2);
        assertThat(waiting).isNotDone();

        cluster.await(first.releaseAsync());
        cluster.advance(millis(20));

        assertThat(waiting.join().lease().isHeld()).isTrue();
        assertThat(tryAcquire(c, 2).isHeld()).isFalse();
        cluster.advance(seconds(1));
        assertThat(traces(2)).as("two permits, and nobody in line").isEqualTo(6);
    }

    @Test
    void whoHasAPermitWaitsForNoOther() {
        Lease first = tryAcquire(a, 2).lease();
        tryAcquire(a, 2);
        CompletableFuture<Acquisition> waiting = queue(b, 2);

        cluster.await(first.releaseAsync());
        cluster.advance(millis(20));

        assertThat(waiting).isDone();
        assertThat(List.of("api#0", "api#1", "api#gate"))
                .allSatisfy(place -> assertThat(cluster.server(0)
                                .state(FakeCluster.resource(place))
                                .waiters())
                        .isEmpty());
    }

    /** The second permit arrives while the caller learns of the first one, before the semaphore has stopped waiting for it. */
    @Test
    void ofTwoPermitsThatComeTogetherOneIsGivenBack() {
        Lease first = tryAcquire(a, 2).lease();
        Lease second = tryAcquire(a, 2).lease();
        CompletableFuture<Acquisition> waiting = queue(b, 2);
        CompletableFuture<Void> told = waiting.thenRun(() -> cluster.world().drain());

        first.releaseAsync();
        second.releaseAsync();
        cluster.advance(millis(50));

        assertThat(told).isCompleted();
        assertThat(waiting.join().isHeld()).isTrue();
        assertThat(traces(2)).as("one permit at three nodes").isEqualTo(3);
    }

    @Test
    void aNewcomerDoesNotOvertakeWhoWaits() {
        Lease first = tryAcquire(a, 2).lease();
        Lease second = tryAcquire(a, 2).lease();
        CompletableFuture<Acquisition> waiting = queue(b, 2);
        b.pause();

        cluster.await(first.releaseAsync());
        assertThat(tryAcquire(c, 2).isHeld()).as("the place is kept for b").isFalse();

        b.resume();
        cluster.advance(millis(50));
        assertThat(waiting.join().isHeld()).isTrue();
        second.releaseAsync();
    }

    @Test
    void thoseWhoWaitAreServedInTheOrderInWhichTheyCame() {
        Lease held = tryAcquire(a, 1).lease();
        CompletableFuture<Acquisition> first = queue(b, 1);
        CompletableFuture<Acquisition> second = queue(c, 1);

        cluster.await(held.releaseAsync());
        cluster.advance(millis(50));

        assertThat(first).isDone();
        assertThat(second).isNotDone();
        cluster.await(first.join().lease().releaseAsync());
        cluster.advance(millis(50));
        assertThat(second.join().isHeld()).isTrue();
    }

    @Test
    void whoGivesUpLeavesNothingBehind() {
        Lease held = tryAcquire(a, 1).lease();
        CompletableFuture<Acquisition> atTheGate = queue(b, 1);
        CompletableFuture<Acquisition> behind = queue(c, 1);

        behind.cancel(true);
        atTheGate.cancel(true);
        cluster.advance(millis(50));
        cluster.await(held.releaseAsync());
        cluster.advance(millis(50));

        assertThat(traces(1)).isZero();
    }

    @Test
    void theWaitEnds() {
        tryAcquire(a, 1);
        CompletableFuture<Acquisition> waiting =
                b.holdfast().semaphore("api", 1).tryAcquireAsync(seconds(3));
        cluster.advance(seconds(4));

        assertThat(waiting).isCompletedWithValueMatching(acquisition -> !acquisition.isHeld());
        assertThat(traces(1)).isEqualTo(3);
    }

    @Test
    void aPermitOfADeadHolderComesFreeAfterItsTtl() {
        cluster.await(a.holdfast().semaphore("api", 1).ttl(seconds(5)).tryAcquireAsync(Duration.ZERO));
        a.kill();
        CompletableFuture<Acquisition> waiting = queue(b, 1);

        cluster.advance(seconds(6));

        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void withoutAMajorityThereIsNoPermit() {
        cluster.server(0).stop();
        cluster.server(1).stop();

        Acquisition none = tryAcquire(a, 3);

        assertThat(((Acquisition.Refused) none).refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001, Integer.MIN_VALUE})
    void permitsHaveTheirLimits(int permits) {
        assertThatThrownBy(() -> a.holdfast().semaphore("api", permits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permits is " + permits + ", but must be from 1 to 1000");
    }

    @Test
    void blockingItWorksTheSame() throws Exception {
        try (Holdfast real = Holdfast.connect("memory:")) {
            LockSemaphore semaphore = real.semaphore("api", 2).ttl(seconds(10)).maxHold(seconds(20));
            Lease one = semaphore.acquire(seconds(1));
            try (Lease two = semaphore.acquire(seconds(1))) {
                assertThat(two.name()).isNotEqualTo(one.name()).startsWith("api#");
                assertThat(semaphore.tryAcquire().isHeld()).isFalse();
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> semaphore.acquire(seconds(1))).isInstanceOf(InterruptedException.class);
            }
            semaphore.acquire(seconds(5)).close();
        }
    }

    @Test
    void workUnderAPermitIsGivenBackHoweverItEnds() throws Exception {
        try (Holdfast real = Holdfast.connect("memory:")) {
            LockSemaphore one = real.semaphore("api", 1);
            IOException thrown = new IOException("disk");

            assertThat(one.<String, RuntimeException>call(seconds(1), Lease::name))
                    .isEqualTo("api#0");
            assertThatThrownBy(() -> one.run(seconds(1), permit -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
            assertThatThrownBy(() -> one.run(
                            seconds(1),
                            permit -> real.admin().breakLease(permit.name(), permit.fencingToken(), "test")))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("a permit of 'api' ended before the work did");
            assertThat(one.tryAcquire(seconds(1)).isHeld()).isTrue();
        }
    }

    private FakeClient slow() {
        FakeClient slow = cluster.client("slow");
        slow.nodes().forEach(node -> node.requests().delay(millis(10)));
        return slow;
    }

    private void fill(int permits, int but) {
        for (int place = 0; place < permits; place++) {
            if (place != but) {
                a.acquire("api#" + place);
            }
        }
    }

    @Test
    void c16_tryAcquireTakesAFewRoundTripsHoweverManyPermitsAreTaken() {
        fill(1_000, -1);
        FakeClient slow = slow();
        Duration begun = cluster.world().elapsed();

        assertThat(tryAcquire(slow, 1_000).isHeld()).isFalse();

        Duration took = cluster.world().elapsed().minus(begun);
        assertThat(took.toMillis() / 10).as("round trips of 10 ms").isLessThanOrEqualTo(13);
        assertThat(slow.node(0).acquires()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void c16_tryAcquireFindsTheOneFreePermitOfMany() {
        fill(300, 217);
        FakeClient slow = slow();

        assertThat(tryAcquire(slow, 300).lease().name()).isEqualTo("api#217");
    }
}
