package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.FaultyNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Mistakes found in other libraries, by their numbers; Holdfast makes none of them. */
class PeersMistakesTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration DRIFT = Duration.ofMillis(102);
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a", settings -> settings.ttl(TTL));

    private FakeClient b() {
        return cluster.client("b", settings -> settings.ttl(TTL));
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Nested
    @DisplayName("1: a cancelled or interrupted acquire does not release where it may have been granted")
    class Mistake1 {

        @Test
        void aCancelledAcquireReleasesAtEveryNodeThatMayHaveGranted() {
            a.node(0).answers().lose();
            a.node(1).requests().hold();
            CompletableFuture<Lease> lease = a.queue("x");
            assertThat(cluster.traces("x")).as("granted at 0 and 2").isEqualTo(2);

            lease.cancel(true);
            cluster.world().drain();

            assertThat(cluster.traces("x")).isZero();
            a.node(1).requests().releaseLast(); // the release overtakes the request, over a new connection
            a.node(1).requests().pass();
            a.node(1).disconnect("reset"); // ends the old connection, whose answer reaches its client late
            a.node(1).reconnect();
            cluster.world().drain();
            a.node(1).requests().release();
            assertThat(cluster.traces("x")).isZero();
        }

        @Test
        void anInterruptedAcquireReleasesToo() throws Exception {
            try (Holdfast holdfast = Holdfast.connect("memory:");
                    Lease held = holdfast.lock("x").acquire(Duration.ZERO)) {
                FutureTask<Lease> waiting = new FutureTask<>(
                        () -> holdfast.lock("x").localHandOver(false).acquire());
                Thread thread = new Thread(waiting);
                thread.start();
                await().until(() -> holdfast.admin().status("x").waiters().size() == 1);

                thread.interrupt();

                await().until(waiting::isDone);
                await().until(() -> holdfast.admin().status("x").waiters().isEmpty());
                assertThat(held.isHeld()).isTrue();
            }
        }
    }

    @Nested
    @DisplayName("2: an interrupted acquire returns normally")
    class Mistake2 {

        @Test
        void anInterruptedAcquireThrows() throws Exception {
            try (Holdfast holdfast = Holdfast.connect("memory:");
                    Lease held = holdfast.lock("x").acquire(Duration.ZERO)) {
                FutureTask<Lease> waiting = new FutureTask<>(
                        () -> holdfast.lock("x").localHandOver(false).acquire());
                Thread thread = new Thread(waiting);
                thread.start();
                await().until(() -> holdfast.admin().status("x").waiters().size() == 1);

                thread.interrupt();

                assertThatThrownBy(waiting::get)
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
                assertThat(held.isHeld()).isTrue();
            }
        }

        @Test
        void anAcquireOfAnInterruptedThreadThrowsThoughTheLockIsFree() throws Exception {
            try (Holdfast holdfast = Holdfast.connect("memory:")) {
                Thread.currentThread().interrupt();

                assertThatThrownBy(() -> holdfast.lock("x").acquire()).isInstanceOf(InterruptedException.class);

                assertThat(Thread.interrupted()).as("thrown, so no longer set").isFalse();
                await().until(() -> holdfast.admin().status("x").holders().isEmpty());
            }
        }
    }

    @Nested
    @DisplayName("3: validity counts from an answer, or on a clock that can be set")
    class Mistake3 {

        @Test
        void validityCountsFromBeforeTheFirstRequest() {
            a.nodes().forEach(node -> node.answers().delay(millis(400)));

            Lease lease = a.acquire("x");

            assertThat(lease.remaining()).isEqualTo(TTL.minus(DRIFT).minus(millis(400)));
        }

        @Test
        void aWallClockSetForwardEndsItEarlyAtWorst() {
            Lease lease = a.acquire("x");
            List<Loss> losses = new ArrayList<>();
            lease.onLost(losses::add);

            a.machine().stepWall(seconds(3600));

            assertThat(lease.isHeld()).isFalse();
            cluster.advance(seconds(2));
            assertThat(losses).hasSize(1);
        }

        @Test
        void aWallClockSetBackLengthensNothing() {
            Lease lease = a.acquire(a.lock("x").autoExtend(false));

            a.machine().stepWall(seconds(-3600));

            assertThat(lease.remaining()).isEqualTo(TTL.minus(DRIFT));
            cluster.advance(TTL);
            assertThat(lease.isHeld()).isFalse();
        }

        /** One vote counts from before the step. The other vote, which ends first, counts from after the step. */
        @Test
        void aWallClockSetForwardAndBackBetweenTwoVotesLengthensNothing() {
            Duration longTtl = seconds(30);
            FakeClient b = b();
            b.nodes(0, 1).forEach(node -> node.requests().lose());
            b.tryAcquire("x"); // puts the fence at 2 one ahead, so that all later votes bear the same fence
            b.nodes(0, 1).forEach(node -> node.requests().pass());
            b.node(2).requests().lose();
            Lease first = b.acquire("x");
            CompletableFuture<Lease> waiting = a.queue(a.lock("x").ttl(longTtl)); // a vote at 2, queued at 0 and 1
            cluster.advance(seconds(1));
            a.machine().stepWall(seconds(5));
            a.node(0).disconnect("cut");
            a.node(0).reconnect(); // the client retries at once
            cluster.world().drain();
            Duration asked = cluster.world().elapsed();
            b.node(1).requests().lose();
            first.releaseAsync();
            cluster.world().drain(); // the client gets a vote at 0, as short as a position in the queue
            Lease lease = waiting.join();
            a.nodes().forEach(node -> node.requests().lose());

            a.machine().stepWall(seconds(-5));

            cluster.advance(TTL.minus(cluster.world().elapsed().minus(asked)).minus(DRIFT));
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Nested
    @DisplayName("4: a majority that is reached after the ttl is taken for the lock")
    class Mistake4 {

        @Test
        void aMajorityReachedAfterTheTtlIsAFailure() {
            DistributedLock lock = a.lock("x").ttl(seconds(1));
            a.nodes().forEach(node -> node.answers().delay(millis(1_200)));

            Acquisition acquisition = a.tryAcquire(lock, seconds(5));

            assertThat(acquisition.isHeld()).isFalse();
            cluster.advance(seconds(3));
            assertThat(cluster.traces("x")).isZero();
        }

        @Test
        void norDoesItCountWhenTheTimeWasLostInAPause() {
            a.nodes().forEach(node -> node.answers().hold());
            CompletableFuture<Acquisition> pending = a.lock("x").tryAcquireAsync(seconds(60));
            a.machine().suspend(TTL);

            a.nodes().forEach(node -> node.answers().release());
            cluster.world().drain();

            assertThat(pending).isNotDone();
            assertThat(cluster.await(pending).isHeld()).as("asked again").isTrue();
        }
    }

    @Nested
    @DisplayName("5: an extension that throws ends the extensions")
    class Mistake5 {

        @Test
        void anExtensionThatThrowsIsTriedAgainUntilTheEndAndThenLossIsToldOnce() {
            Lease lease = a.acquire("x");
            List<Loss> losses = new ArrayList<>();
            lease.onLost(losses::add);
            Duration deadline = cluster.world().elapsed().plus(lease.remaining());
            a.nodes()
                    .forEach(node -> node.answerAcquires(request -> {
                        throw new IllegalStateException("boom");
                    }));
            try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.node.NodeSet")) {
                int before = a.node(0).acquires().size();
                cluster.world().runUntil(() -> !losses.isEmpty(), seconds(60));

                assertThat(a.node(0).acquires().size() - before).isGreaterThan(5);
                assertThat(log.messages(Level.SEVERE)).isNotEmpty();
            }
            assertThat(cluster.world().elapsed()).isLessThanOrEqualTo(deadline);
            cluster.advance(seconds(60));
            assertThat(losses).hasSize(1);
            assertThat(losses.get(0).reason()).isEqualTo(Loss.Reason.EXPIRED);
        }

        @Test
        void oneThatRecoversInTimeIsNotLost() {
            Lease lease = a.acquire("x");
            a.nodes().forEach(node -> node.answerAcquires(request -> new Unavailable("unwell", true)));
            cluster.advance(TTL.minus(seconds(1)));

            a.nodes().forEach(node -> node.answerAcquires(request -> null));

            cluster.advance(seconds(60));
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Nested
    @DisplayName("6: a stale owner touches the new owner's key")
    class Mistake6 {

        @Test
        void s15_releaseAndExtensionOfAStaleOwnerLeaveTheNewOnesVotesAlone() {
            Lease stale = a.acquire("x");
            a.nodes().forEach(node -> node.requests().hold());
            CompletableFuture<ExtendOutcome> extension = stale.extendAsync(TTL).toCompletableFuture();
            cluster.advance(TTL.plus(seconds(1)));
            Lease fresh = b().acquire("x");
            CompletableFuture<ReleaseOutcome> release = stale.releaseAsync().toCompletableFuture();

            a.nodes().forEach(node -> node.requests().release());
            cluster.world().drain();

            assertThat(extension).isCompletedWithValue(ExtendOutcome.UNCONFIRMED);
            assertThat(release).isCompletedWithValue(ReleaseOutcome.EXPIRED);
            assertThat(cluster.votes(fresh)).isEqualTo(3);
            assertThat(cluster.votes(stale)).isZero();
            assertThat(fresh.fencingToken()).isGreaterThan(stale.fencingToken());
        }
    }

    @Nested
    @DisplayName("7: a timeout is taken for a no")
    class Mistake7 {

        @Test
        void aTimeoutIsUnknownAndSaidToBe() {
            a.nodes(0, 1).forEach(node -> node.answers().lose());

            Acquisition acquisition = a.tryAcquire("x");

            assertThatThrownBy(acquisition::lease)
                    .isInstanceOfSatisfying(
                            NoQuorumException.class,
                            e -> assertThat(e.refusal().nodes())
                                    .extracting(NodeReport::kind)
                                    .containsExactly(
                                            NodeReport.Kind.TIMEOUT, NodeReport.Kind.TIMEOUT, NodeReport.Kind.GRANTED));
            assertThat(cluster.traces("x")).as("released there too").isZero();
        }

        @Test
        void aVoteWhoseExtensionTimedOutStandsUntilItsTimeIsUp() {
            Lease lease = a.acquire("x");
            a.nodes(0, 1).forEach(node -> node.answers().lose());

            cluster.advance(TTL.minus(seconds(1)));

            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Nested
    @DisplayName("8: bad settings are corrected in silence")
    class Mistake8 {

        @Test
        void badSettingsThrowAndNameValueRangeAndReason() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.lock("x").ttl(millis(49)))
                    .withMessage("ttl is 49 ms, but must be from 50 ms to 24 h");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.lock("x").ttl(Duration.ofNanos(100_500_000)))
                    .withMessageContaining("whole milliseconds");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.lock("x").tryAcquireAsync(millis(-1)))
                    .withMessage("wait is -1 ms, but must be 0 or more");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.lock("x").maxHold(Duration.ZERO))
                    .withMessageContaining("maxHold is 0 ms");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Holdfast.builder()
                            .nodes("memory:")
                            .nodeOptions(NodeOptions.defaults().timeout(seconds(2)))
                            .ttl(seconds(3))
                            .build())
                    .withMessage("ttl is 3 s, but must be at least twice the node timeout of 2 s");
        }
    }

    @Nested
    @DisplayName("9: acquire waits longer than it was told to")
    class Mistake9 {

        @Test
        void acquireWaitsAtMostTheWaitInAll() {
            Lease held = b().acquire("x");

            Acquisition acquisition = a.tryAcquire(a.lock("x"), seconds(25));

            assertThatThrownBy(acquisition::lease).isInstanceOf(LockTimeoutException.class);
            assertThat(cluster.world().elapsed()).isEqualTo(seconds(25));
            assertThat(held.isHeld()).isTrue();
        }

        @Test
        void withSilentNodesItIsOneNodeTimeoutMoreAtMost() {
            a.nodes().forEach(node -> node.requests().lose());

            a.tryAcquire(a.lock("x"), millis(1));

            assertThat(cluster.world().elapsed()).isEqualTo(NODE_TIMEOUT);
            a.tryAcquire(a.lock("x"), seconds(25));
            assertThat(cluster.world().elapsed())
                    .isBetween(seconds(25), seconds(26).plus(NODE_TIMEOUT));
        }
    }

    @Nested
    @DisplayName("10: closing twice does harm, closing after expiry says nothing")
    class Mistake10 {

        @Test
        void closingTwiceIsHarmless() {
            Lease lease = a.acquire("x");

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            lease.close();
            Lease next = b().acquire("x");
            lease.close();

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(cluster.votes(next)).isEqualTo(3);
        }

        @Test
        void closingAfterExpirySaysSoAndDoesNotThrow() {
            Lease lease = a.acquire(a.lock("x").autoExtend(false));
            cluster.advance(TTL);

            lease.close();

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.EXPIRED);
        }
    }

    @Nested
    @DisplayName("11: a late renewal goes unnoticed")
    class Mistake11 {

        @Test
        void aLateTickIsLoggedWithItsDelay() {
            Lease lease = a.acquire("x");
            try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.lease.SuspensionWatch")) {
                a.machine().pause(seconds(5)); // the extension was due after a third of the validity

                assertThat(log.messages(Level.WARNING))
                        .singleElement()
                        .asString()
                        .contains("renewal of x")
                        .matches(".* 1\\D?7\\d\\d ms late.*");
            }
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Nested
    @DisplayName("12: time arithmetic is wrong where the ticker wraps around")
    class Mistake12 {

        @Test
        void everythingWorksAcrossTheWrapAround() {
            assertThat(a.machine().timing().ticker().nanos())
                    .as("before the wrap")
                    .isGreaterThan(Long.MAX_VALUE - seconds(4).toNanos());
            Lease lease = a.acquire("x");
            CompletableFuture<Lease> waiting = b().queue("x");

            cluster.advance(seconds(60));

            assertThat(a.machine().timing().ticker().nanos()).as("after it").isNegative();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isBetween(Duration.ZERO, TTL);
            lease.release();
            assertThat(cluster.await(waiting).isHeld()).isTrue();
        }

        @Test
        void aLeaseThatIsNotExtendedEndsInTimeAcrossTheWrapAround() {
            Lease lease = a.acquire(a.lock("x").autoExtend(false));

            cluster.advance(TTL.minus(DRIFT).minus(millis(21)));
            assertThat(lease.isHeld()).isTrue();
            cluster.advance(millis(21));
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Nested
    @DisplayName(
            "13: what comes back from a server is believed unseen (its other half is in the tests of the Redis node)")
    class Mistake13 {

        @Test
        void aNodeThatThrowsOrFailsOrSaysNothingCountsAsSilent() {
            a.node(0).answerAcquires(request -> {
                throw new IllegalStateException("no such script");
            });
            try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.node.NodeSet")) {
                Lease lease = a.acquire("x");

                assertThat(cluster.votes(lease)).isEqualTo(2);
                assertThat(log.messages(Level.SEVERE))
                        .singleElement()
                        .asString()
                        .contains("fake:A");
            }
        }

        @Test
        void anAnswerThatMakesNoSenseForTheQuestionIsNoVote() {
            a.nodes(0, 1)
                    .forEach(node -> node.answerAcquires(request -> new AcquireAnswer.Queued(0, 0, 1, null, 0, 0)));

            assertThat(a.tryAcquire("x").isHeld()).isFalse();
        }
    }

    @Nested
    @DisplayName("14: an extension makes a lock anew that another has had in between")
    class Mistake14 {

        @Test
        void s15_anExtensionThatComesLateMakesNothingAnew() {
            Lease stale = a.acquire("x");
            a.nodes().forEach(node -> node.requests().hold());
            stale.extendAsync(TTL);
            cluster.advance(TTL.plus(seconds(1)));
            Lease between = b().acquire("x");
            between.release();
            assertThat(cluster.traces("x")).isZero();

            a.nodes().forEach(node -> node.requests().releaseOne()); // the extension, before the later release

            assertThat(cluster.traces("x")).isZero();
        }
    }

    @Nested
    @DisplayName("15: an extension counts from its answer")
    class Mistake15 {

        @Test
        void anExtensionCountsFromWhenItsRequestWasSent() {
            Lease lease = a.acquire("x");
            cluster.advance(seconds(1));
            a.nodes().forEach(node -> node.answers().delay(millis(400)));

            assertThat(cluster.await(lease.extendAsync(TTL))).isEqualTo(ExtendOutcome.EXTENDED);

            assertThat(lease.remaining()).isEqualTo(TTL.minus(DRIFT).minus(millis(400)));
        }

        @Test
        void anAnswerAfterTheOldEndIsTooLate() {
            Lease lease = a.acquire(a.lock("x").autoExtend(false));
            cluster.advance(TTL.minus(DRIFT).minus(millis(200)));
            a.nodes().forEach(node -> node.answers().delay(millis(300)));

            assertThat(cluster.await(lease.extendAsync(TTL))).isEqualTo(ExtendOutcome.LOST);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Nested
    @DisplayName("16: the lease time is converted at every retry")
    class Mistake16 {

        @Test
        void theTtlIsTheSameInEveryRequest() {
            Lease held = b().acquire("x");
            CompletableFuture<Lease> waiting = a.queue("x");
            cluster.advance(seconds(60));
            held.release();
            cluster.await(waiting);
            cluster.advance(seconds(60));

            Stream<AcquireRequest> requests =
                    a.nodes().stream().map(FaultyNode::acquires).flatMap(List::stream);
            assertThat(requests)
                    .hasSizeGreaterThan(60)
                    .allSatisfy(request -> assertThat(request.ttlMillis()).isEqualTo(TTL.toMillis()));
            ResourceState state = cluster.server(0).state(FakeCluster.resource("x"));
            assertThat(state.holders().get(0).remainingMillis().orElseThrow()).isLessThanOrEqualTo(TTL.toMillis());
        }
    }
}
