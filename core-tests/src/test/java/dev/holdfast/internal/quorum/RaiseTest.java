package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A majority of votes must bear one fence (PROTOCOL §4, "A majority of votes is in"). */
class RaiseTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");
    private long ahead;

    /** Puts the fence of the first server three ahead of the others'. */
    @BeforeEach
    void setTheFencesApart() {
        b.acquire("x").release();
        b.nodes(1, 2).forEach(node -> node.requests().lose());
        for (int i = 0; i < 3; i++) {
            b.tryAcquire("x");
        }
        b.nodes().forEach(node -> node.requests().pass());
        ahead = cluster.server(0).state("lock:x").fence();
    }

    private static boolean isRaise(AcquireRequest request) {
        return request.floor() > 0 && !request.heal();
    }

    @Test
    void lowerVotesAreRaisedToTheLargest() {
        Lease lease = a.acquire("x");

        assertThat(lease.fencingToken()).isEqualTo(ahead + 1);
        for (int server = 0; server < 3; server++) {
            assertThat(cluster.server(server).state("lock:x").holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.fence()).isEqualTo(ahead + 1));
        }
        assertThat(a.node(0).acquires()).noneMatch(RaiseTest::isRaise);
        assertThat(a.node(1).acquires())
                .filteredOn(RaiseTest::isRaise)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.floor()).isEqualTo(ahead + 1);
                    assertThat(request.queue()).isFalse();
                });
    }

    @Test
    void whereAMajorityBearsTheLargestNothingIsRaised() {
        a.node(0).requests().lose();

        Lease lease = a.acquire("x");

        assertThat(a.nodes()).allSatisfy(node -> assertThat(node.acquires()).noneMatch(RaiseTest::isRaise));
        assertThat(lease.fencingToken()).isLessThan(ahead);
    }

    @Test
    @DisplayName(
            "S24: the counters of the nodes drift apart by partial acquisitions, and the largest of a majority does not rise")
    void s24_theNextTokenIsLargerWhicheverMajorityGivesIt() {
        Lease first = a.acquire("x");
        first.release();
        b.node(0).requests().lose();

        assertThat(b.acquire("x").fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void aRaiseThatIsRefusedIsAVoteLost() {
        a.nodes(1, 2)
                .forEach(node -> node.answerAcquires(
                        request -> isRaise(request) ? new Denied(0, Denied.Reason.NO_VOTE, null, 0) : null));

        Acquisition acquisition = a.tryAcquire("x");

        assertThat(acquisition.isHeld()).isFalse();
        assertThat(cluster.traces("x")).as("given back everywhere").isZero();
    }

    @Test
    void anAttemptThatWaitsSurvivesThatAndAsksAnewUnderANewRound() {
        a.nodes(1, 2)
                .forEach(node -> node.answerAcquires(
                        request -> isRaise(request) && request.owner().round() == 0
                                ? new Denied(0, Denied.Reason.NO_VOTE, null, 0)
                                : null));

        Lease lease = cluster.await(a.queue("x"));

        assertThat(lease.isHeld()).isTrue();
        assertThat(a.node(1).acquires())
                .filteredOn(request -> request.owner().round() == 1)
                .isNotEmpty();
        assertThat(cluster.votes(lease)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aRaiseThatIsNotAnsweredIsSentAgain() {
        a.nodes(1, 2).forEach(node -> node.answers().hold());
        CompletableFuture<Lease> waiting = a.queue("x");
        a.nodes(1, 2).forEach(node -> node.answers().releaseOne()); // votes arrive, answers to raises are lost
        a.nodes(1, 2).forEach(node -> node.answers().loseHeld());
        a.nodes(1, 2).forEach(node -> node.answers().pass());
        assertThat(waiting).isNotDone();

        cluster.advance(seconds(4));

        assertThat(waiting).isDone();
        assertThat(waiting.join().fencingToken()).isEqualTo(ahead + 1);
    }

    @Test
    void sharedLeasesAreRaisedToo() {
        Lease reader = a.acquire(a.lock("x").shared());
        Lease other = b.acquire(b.lock("x").shared());

        assertThat(reader.fencingToken()).isEqualTo(ahead + 1);
        assertThat(other.isHeld()).isTrue();
        reader.release();
        other.release();
        assertThat(a.acquire("x").fencingToken()).isGreaterThan(Math.max(reader.fencingToken(), other.fencingToken()));
    }

    @Test
    void nlNeedsNoFence() {
        Lease interest = a.acquire(a.lock("x").mode(LockMode.NL));

        assertThat(interest.fencingToken()).isZero();
        assertThat(a.node(0).acquires()).hasSize(1);
        cluster.advance(seconds(60));
        assertThat(interest.isHeld()).isTrue();
        assertThat(b.acquire("x").isHeld()).isTrue();
    }
}
