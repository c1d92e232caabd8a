package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.drift;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Votes, and how they come about: answers, pushes, time (PROTOCOL §4, "Attempt"). */
class AskingTest {

    private static final Duration TTL = seconds(30);
    private static final Duration WAITER_TTL = seconds(10);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7})
    void aFreeLockTakesOneRequestToEachNode(int nodes) {
        FakeCluster some = new FakeCluster(nodes);
        FakeClient client = some.client("c");

        Lease lease = client.acquire("x");

        assertThat(some.votes(lease)).isEqualTo(nodes);
        assertThat(client.nodes())
                .allSatisfy(node -> assertThat(node.acquires()).hasSize(1));
        assertThat(lease.remaining()).isEqualTo(TTL.minus(drift(TTL)));
        lease.release();
        assertThat(some.traces("x")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 7})
    void aMajorityIsEnoughAndLessIsNot(int nodes) {
        FakeCluster some = new FakeCluster(nodes);
        int mayFail = nodes - Validity.majority(nodes);
        for (int server = 0; server < mayFail; server++) {
            some.server(server).stop();
        }
        FakeClient client = some.client("c");
        client.nodes().stream().limit(mayFail).forEach(node -> node.disconnect("down"));
        Lease lease = client.acquire("x");
        assertThat(lease.isHeld()).isTrue();

        client.node(mayFail).disconnect("down");

        assertThatThrownBy(() -> client.acquire("y")).isInstanceOf(NoQuorumException.class);
    }

    @Test
    void aSlowNodeHoldsUpNobody() {
        a.node(0).answers().delay(seconds(3));

        a.acquire("x").release();

        assertThat(cluster.world().elapsed()).isZero();
    }

    @Test
    void answersJustBelowTheNodeTimeoutCount() {
        a.nodes().forEach(node -> node.answers().delay(millis(499)));

        Lease lease = a.acquire("x");

        assertThat(lease.remaining()).isEqualTo(TTL.minus(drift(TTL)).minus(millis(499)));
    }

    @Test
    void anAnswerAfterTheNodeTimeoutIsAVoteStillWhileTheAttemptWaits() {
        a.nodes(0, 1).forEach(node -> node.answers().delay(millis(900)));

        Lease lease = a.tryAcquire(a.lock("x"), seconds(5)).lease();

        assertThat(cluster.world().elapsed()).isEqualTo(millis(900));
        assertThat(lease.remaining()).isEqualTo(TTL.minus(drift(TTL)).minus(millis(900)));
    }

    @Test
    void refusalsTellWhoHoldsIt() {
        b.acquire("x");

        assertThatThrownBy(() -> a.acquire("x"))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessage(
                        "lock 'x' not acquired after 0 ms: held by another client [fake:A: HELD by b for 30 s more; "
                                + "fake:B: HELD by b for 30 s more; fake:C: HELD by b for 30 s more]");
    }

    @Test
    void heldAndNoQuorumAreDifferentThings() {
        b.acquire("x");
        a.node(0).disconnect("connection refused");
        assertThatThrownBy(() -> a.acquire("x")).isInstanceOf(LockTimeoutException.class);

        a.node(1).answerAcquires(request -> new Quarantined(12_000));
        Acquisition acquisition = a.tryAcquire("x");

        assertThat(acquisition).isInstanceOfSatisfying(Acquisition.Refused.class, refused -> {
            assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
            assertThat(refused.refusal().nodes())
                    .extracting(NodeReport::toString)
                    .containsExactly(
                            "fake:A: ERROR connection refused",
                            "fake:B: QUARANTINED, 12 s more",
                            "fake:C: HELD by b for 30 s more");
        });
    }

    // ---- pushes

    @Test
    void aPushedVoteIsAsShortAsAPlaceAndCountsFromTheLastQuestionThatWasAnsweredQueued() {
        Lease held = b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(8)); // a sends requests at 0, and after one and two thirds of 10 s
        held.release();
        Lease lease = cluster.await(waiting);

        Duration asked = WAITER_TTL.multipliedBy(2).dividedBy(3);
        Duration expected =
                WAITER_TTL.minus(drift(TTL)).minus(cluster.world().elapsed().minus(asked));
        assertThat(lease.remaining()).isBetween(expected.minusMillis(2), expected);
    }

    @Test
    void aPushThatIsNotNewerThanTheLastQueuedAnswerIsStale() {
        Lease held = b.acquire("x");
        a.nodes().forEach(node -> node.pushes().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        held.release();
        cluster.world().drain(); // granted, unheard
        assertThat(a.nodes()).allMatch(node -> node.pushes().held() == 1);
        a.nodes().forEach(node -> node.requests().lose());
        cluster.advance(seconds(10).plusMillis(1)); // and expired
        b.tryAcquire("x").lease();
        a.nodes().forEach(node -> node.requests().pass());
        cluster.advance(seconds(4)); // re-sent: queued behind b
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(1);

        a.nodes().forEach(node -> node.pushes().release());
        cluster.world().drain();

        assertThat(waiting).isNotDone();
    }

    /** Another client may compute a smaller base for the fences of a node that has just started. */
    @Test
    void aPushWithASmallerFenceThanTheLastQueuedAnswerIsAskedAboutAtOnce() {
        long larger = 1L << 52;
        Lease held = b.acquire("x");
        a.nodes().forEach(node -> node.answerAcquires(request -> new Queued(0, larger, 1, null, 0, 0)));
        CompletableFuture<Lease> waiting = a.queue("x");
        a.nodes().forEach(node -> node.answerAcquires(request -> null));
        cluster.advance(millis(100)); // re-sent: queued behind b
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(1);

        held.release();
        cluster.world().drain();

        assertThat(waiting).isDone();
        assertThat(waiting.join().fencingToken()).isBetween(held.fencingToken() + 1, larger);
    }

    @Test
    void aPushThatOvertakesItsAnswerIsBelieved() {
        Lease held = b.acquire("x");
        a.nodes().forEach(node -> node.answers().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(millis(100));
        held.release();
        cluster.world().drain();
        assertThat(waiting).isDone();
        Lease lease = waiting.join();

        a.nodes().forEach(node -> node.answers().release()); // the answers QUEUED, which a push overtook long ago

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.votes(lease)).isEqualTo(3);
        cluster.advance(seconds(60));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void pushesThatComeTwiceOrLateDoNoHarm() {
        Lease held = b.acquire("x");
        a.nodes().forEach(node -> node.pushes().twice());
        b.nodes().forEach(node -> node.pushes().delay(seconds(2)));
        CompletableFuture<Lease> waiting = a.queue("x");
        held.release();
        Lease lease = cluster.await(waiting);
        cluster.advance(seconds(5));

        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.votes(lease)).isEqualTo(3);
        lease.release();
        cluster.advance(seconds(5));
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aQueuedAnswerTakesBackAVoteThatTheNodeHasDroppedSince() {
        a.node(1).answers().hold(); // a vote with the same fence, so that only the count decides
        a.node(2).requests().lose();
        CompletableFuture<Lease> waiting = a.queue("x"); // a gets a vote at the first node
        cluster.server(0).machine().stepWall(TTL); // the node drops the vote, because its clock was set forward
        b.nodes(1, 2).forEach(node -> node.requests().lose());
        FakeClient c = cluster.client("c");
        c.nodes(1, 2).forEach(node -> node.requests().lose());
        c.queue("x"); // the first node votes for another client
        c.kill();
        cluster.advance(seconds(4)); // the client a queues there

        a.node(1).answers().release();
        cluster.world().drain();

        assertThat(waiting).as("one vote of three, not two").isNotDone();
    }

    /** The vote has expired at a node whose clock is fast, and the node has given no token since. */
    @Test
    void aQueuedAnswerWithTheFenceOfAVoteTakesItBackAsWell() {
        a.node(1).answers().hold();
        a.node(2).requests().lose();
        CompletableFuture<Lease> waiting = a.queue("x");
        long fence = cluster.server(0).state("lock:x").fence();
        a.node(0).answerAcquires(request -> new Queued(0, fence, 1, null, 0, 0));
        cluster.advance(seconds(4)); // re-sent

        a.node(1).answers().release();
        cluster.world().drain();

        assertThat(waiting).as("one vote of three, not two").isNotDone();
    }

    // ---- nodes that come and go

    @Test
    void aNodeThatComesBackIsAskedAtOnce() {
        cluster.servers().forEach(server -> server.stop());
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(30));
        Duration before = cluster.world().elapsed();

        cluster.servers().forEach(server -> server.start());
        cluster.world().drain();

        assertThat(waiting).isDone();
        assertThat(cluster.world().elapsed()).isEqualTo(before);
    }

    @Test
    void whatWasUnderWayWhenAConnectionBrokeIsUnknownAndAskedAgainUnderTheSameId() {
        a.nodes(0, 1).forEach(node -> node.answers().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        a.nodes(0, 1).forEach(node -> {
            node.disconnect("reset");
            node.answers().loseHeld();
            node.answers().pass();
            node.reconnect();
        });
        cluster.world().drain();

        assertThat(waiting).isDone();
        assertThat(a.node(0).acquires())
                .hasSize(2)
                .extracting(request -> request.owner())
                .containsOnly(a.node(0).acquires().get(0).owner());
        assertThat(a.node(0).releases()).isEmpty();
    }

    @Test
    void aRequestThatArrivesTwiceIsOneVote() {
        a.nodes().forEach(node -> node.requests().twice());

        Lease lease = a.acquire("x");

        assertThat(cluster.server(0).state("lock:x").holders()).hasSize(1);
        lease.release();
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aNodeThatQueuesWhatDidNotAskToBeIsNoVote() {
        a.nodes().forEach(node -> node.answerAcquires(request -> new Queued(0, 0, 1, null, 0, 0)));

        assertThat(a.tryAcquire("x").isHeld()).isFalse();
    }

    // ---- tickets

    @Test
    void aLaggingClockLearnsFromWhatNodesShow() {
        a.machine().stepWall(seconds(-60));
        Lease held = b.acquire("x");
        CompletableFuture<Lease> first = cluster.client("c").queue("x");
        cluster.advance(millis(10));

        assertThat(a.tryAcquire("x").isHeld()).isFalse(); // now a has seen their tickets
        CompletableFuture<Lease> late = a.queue("x");

        assertThat(cluster.server(0).state("lock:x").waiters())
                .extracting(waiter -> waiter.owner().substring(0, 1))
                .containsExactly("c", "a");
        held.release();
        cluster.world().drain();
        assertThat(first).isDone();
        assertThat(late).isNotDone();
    }

    @Test
    void sharedLeasesAreHeldTogetherAndAWriterIsNotStarvedByThem() {
        Lease one = a.acquire(a.lock("x").shared());
        Lease two = b.acquire(b.lock("x").shared());
        FakeClient c = cluster.client("c");
        CompletableFuture<Lease> writer = c.queue("x");
        cluster.advance(millis(1));
        CompletableFuture<Lease> later = a.queue(a.lock("x").shared());
        assertThat(later).isNotDone();

        List.of(one, two).forEach(Lease::release);
        cluster.world().drain();
        assertThat(writer).isDone();
        assertThat(later).isNotDone();

        writer.join().release();
        cluster.world().drain();
        assertThat(later).isDone();
        assertThat(later.join().fencingToken()).isGreaterThan(writer.join().fencingToken());
    }
}
