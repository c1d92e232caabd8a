package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.hours;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HandClient;
import dev.holdfast.HandNode;
import dev.holdfast.internal.lease.ClientLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Releases, tombstones and late requests: nothing is left behind (PROTOCOL §4, from "No majority is possible" and "Release" on). */
class GiveBackTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private CompletableFuture<ReleaseOutcome> releasing(Lease lease) {
        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync().toCompletableFuture();
        cluster.world().drain();
        return outcome;
    }

    @Test
    void aReleaseGoesToAllNodesAndIsDoneAtAMajority() {
        Lease lease = a.acquire("x");
        a.node(2).answers().hold();

        assertThat(releasing(lease)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aReleaseThatAMajorityDoesNotAnswerIsUnknownAfterANodeTimeout() {
        Lease lease = a.acquire("x");
        a.nodes(0, 1).forEach(node -> node.answers().lose());
        Duration before = cluster.world().elapsed();

        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.UNCONFIRMED);

        assertThat(cluster.world().elapsed().minus(before)).isEqualTo(millis(500));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aReleaseOfWhatTheNodesHaveForgottenSaysExpired() {
        Lease lease = a.acquire("x");
        for (int server = 0; server < 2; server++) {
            cluster.server(server).stop();
            cluster.server(server).startEmpty(Duration.ZERO);
        }

        assertThat(releasing(lease)).isCompletedWithValue(ReleaseOutcome.EXPIRED);
    }

    @Test
    void aReleaseGoesOnInTheBackgroundUntilItHasReachedEveryNode() {
        Lease lease = a.acquire("x");
        cluster.server(2).stop();
        assertThat(releasing(lease)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        cluster.advance(seconds(5));
        assertThat(cluster.traces("x")).isEqualTo(1);

        cluster.server(2).start();
        cluster.advance(seconds(3));

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aReleaseIsForgottenWhenWhatItReleasesHasExpired() {
        Lease before = a.acquire("y");
        assertThat(releasing(before)).isCompleted();
        cluster.advance(seconds(60));
        int timers = a.machine().pendingTimers();
        Lease lease = a.acquire("x");
        a.node(2).disconnect("down");
        assertThat(releasing(lease)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(a.machine().pendingTimers()).isGreaterThan(timers);

        cluster.advance(seconds(33)); // the ttl and the longest pause between two retries

        assertThat(a.machine().pendingTimers()).isEqualTo(timers);
        int sent = a.node(2).releases().size();
        a.node(2).reconnect();
        cluster.advance(seconds(5));
        assertThat(a.node(2).releases()).hasSize(sent);
    }

    @Test
    void itGoesOnForAsLongAsTheLongestVoteLasts() {
        Lease lease = a.acquire("x");
        cluster.await(lease.extendAsync(hours(1)));
        cluster.server(2).stop();
        releasing(lease);
        cluster.advance(Duration.ofMinutes(59));

        cluster.server(2).start();
        cluster.advance(seconds(3));

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void theBackgroundEndsWhenNothingIsLeftToGiveBack() {
        Lease lease = a.acquire("x");
        cluster.server(2).stop();
        releasing(lease);

        cluster.advance(seconds(40));

        assertThat(a.machine().pendingTimers()).isZero();
    }

    @Test
    void aReleaseWhoseConnectionBreaksIsSentAgain() {
        Lease lease = a.acquire("x");
        a.node(2).requests().hold();
        releasing(lease);
        a.node(2).disconnect("reset");
        a.node(2).requests().loseHeld();
        a.node(2).requests().pass();
        assertThat(cluster.traces("x")).isEqualTo(1);

        a.node(2).reconnect();
        cluster.advance(seconds(1));

        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aReleaseIsSentAgainAsSoonAsTheNodeIsBack() {
        Lease lease = a.acquire("x");
        a.node(2).disconnect("reset");
        releasing(lease);
        cluster.advance(seconds(5));
        assertThat(cluster.traces("x")).isEqualTo(1);

        a.node(2).reconnect();
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
        assertThat(a.node(2).releases()).hasSizeLessThan(10);
    }

    /** On one connection, a release follows the acquire. Here the connection of the acquire has ended, and the client learns of that late. */
    @Test
    void anAcquireThatEndsUnknownAfterItsReleaseIsBuriedThen() {
        a.node(2).requests().hold();
        Lease lease = a.acquire("x");

        endsUnknownAfterItsRelease(lease);
    }

    @Test
    void anExtensionThatEndsUnknownAfterTheReleaseIsBuriedThen() {
        Lease lease = a.acquire("x");
        a.node(2).requests().hold();
        cluster.await(lease.extendAsync(seconds(20)));

        endsUnknownAfterItsRelease(lease);
    }

    private void endsUnknownAfterItsRelease(Lease lease) {
        releasing(lease);
        a.node(2).requests().releaseLast();
        cluster.world().drain();
        assertThat(a.node(2).releases())
                .as("as long as nothing is in doubt")
                .extracting(ReleaseRequest::buryMillis)
                .containsExactly(0L);

        a.node(2).requests().pass();
        a.node(2).disconnect("reset");
        a.node(2).reconnect();
        cluster.world().drain();
        a.node(2).requests().release();

        assertThat(a.node(2).releases().get(a.node(2).releases().size() - 1).buryMillis())
                .isPositive();
        assertThat(cluster.traces("x")).isZero();
    }

    /** Requests may go over several connections, and the answer comes late, without any doubt before. */
    @Test
    void anAcquireThatIsAnsweredAfterItsReleaseIsReleasedAgain() {
        a.node(2).requests().hold();
        Lease lease = a.acquire("x");
        releasing(lease);

        a.node(2).requests().releaseLast();
        a.node(2).requests().release();
        cluster.world().drain();

        assertThat(a.node(2).releases())
                .extracting(ReleaseRequest::buryMillis)
                .containsExactly(0L, Duration.ofSeconds(30).toMillis());
        assertThat(cluster.traces("x")).isZero();
    }

    /** The answer to the extension never comes, so that nothing but the tombstone can deny it. */
    @Test
    void aReleaseBuriesWhereAnExtensionWasNotAnsweredInTime() {
        Lease lease = a.acquire("x");
        a.node(2).requests().hold();
        cluster.await(lease.extendAsync(seconds(20)));
        cluster.advance(seconds(1)); // the third node's time to answer has passed
        a.node(2).answers().lose();
        releasing(lease);

        a.node(2).requests().releaseLast();
        a.node(2).requests().release();
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
    }

    /** Otherwise the client would count fewer releases than are under way, and close the connections too early or too late. */
    @Test
    void aReleaseThatIsSentAgainCountsOnce() {
        HandClient hand = new HandClient(3);
        hand.settle();
        ClientLeases leases = new ClientLeases(hand.quorum, millis -> {});
        Lease lease = HandClient.acquire(leases, 0, LockOptions.defaults())
                .outcome()
                .join()
                .lease();
        hand.nodes.get(2).close();
        lease.releaseAsync();
        assertThat(hand.quorum.waiting).as("releases that wait for a retry").hasSize(1);

        hand.time.pass(100);
        hand.time.fireDue();

        assertThat(hand.quorum.released()).isDone();
    }

    /** Otherwise each attempt would stay in memory for ever. */
    @Test
    void nothingReceivesPushesAfterItsEnd() {
        HandClient hand = new HandClient(3);
        hand.settle();
        ClientLeases leases = new ClientLeases(hand.quorum, millis -> {});
        Acquisition held =
                HandClient.acquire(leases, 0, LockOptions.defaults()).outcome().join();
        assertThat(hand.quorum.attempts).hasSize(1);
        held.lease().release();
        assertThat(hand.quorum.attempts).as("a released lease").isEmpty();

        hand.nodes.forEach(HandNode::occupy);
        assertThat(HandClient.acquire(leases, 0, LockOptions.defaults()).outcome())
                .isCompletedWithValueMatching(acquisition -> !acquisition.isHeld());
        assertThat(hand.quorum.attempts).as("a refused attempt").isEmpty();

        HandClient.acquire(leases, 60_000, LockOptions.defaults()).cancel();
        assertThat(hand.quorum.attempts).as("a cancelled attempt").isEmpty();
    }

    @Test
    void aNodeIsTriedAgainInItsOwnTimeHoweverManyOthersFail() {
        Lease lease = a.acquire("x");
        a.nodes().forEach(node -> node.disconnect("cut"));
        releasing(lease);

        cluster.advance(millis(60));

        a.nodes().forEach(node -> assertThat(node.releases()).hasSize(2));
    }

    @Test
    void aRefusedAttemptReleasesOnlyWhereSomethingMayBe() {
        b.node(2).requests().lose();
        Lease held = b.acquire("x");

        assertThat(a.tryAcquire("x").isHeld()).isFalse();

        assertThat(a.node(0).releases()).as("said no").isEmpty();
        assertThat(a.node(1).releases()).as("said no").isEmpty();
        assertThat(a.node(2).releases())
                .as("granted")
                .singleElement()
                .satisfies(release -> assertThat(release.buryMillis()).isZero());
        assertThat(cluster.votes(held)).isEqualTo(2);
    }

    /** The client sends nothing to a node that it must not use. Requests that are counted in that time must not hide later ones. */
    @Test
    void whereNoAnswerCameTheReleaseBuriesThoughTheNodeWasBarredForATime() {
        b.acquire("x");
        a.node(2).refuse("a replica");
        CompletableFuture<Lease> waiting = a.queue("x");
        cluster.advance(seconds(10));
        cluster.server(2).stop();
        cluster.server(2).startEmpty(Duration.ZERO);
        a.node(2).answers().lose();
        cluster.advance(seconds(5));
        assertThat(cluster.server(2).state("lock:x").holders())
                .as("granted, unheard")
                .hasSize(1);

        waiting.cancel(true);
        cluster.world().drain();

        assertThat(cluster.server(2).state("lock:x").holders()).isEmpty();
        assertThat(a.node(2).releases())
                .singleElement()
                .satisfies(release -> assertThat(release.buryMillis()).isPositive());
    }

    @Test
    void aGrantThatIsPushedToAnAttemptThatHasEndedIsGivenBack() {
        b.acquire("x");
        CompletableFuture<Lease> waiting = a.queue("x");
        a.node(0).requests().lose(); // loses the release too
        waiting.cancel(true);
        cluster.world().drain();
        assertThat(cluster.server(0).state("lock:x").waiters()).hasSize(1);
        a.node(0).requests().pass();

        b.holdfast().close();
        cluster.world().drain();

        assertThat(cluster.traces("x")).isZero();
    }

    /** A node sends CONTENDED before GRANTED if a waiter is next, and either one reports the vote. */
    @Test
    void aGrantThatFollowsTheReleaseOfItsVoteIsNotGivenBackAgain() {
        FakeClient c = cluster.client("c");
        Lease held = a.acquire("x");
        CompletableFuture<Lease> second = b.queue("x");
        CompletableFuture<Lease> third = c.queue("x");
        b.nodes().forEach(node -> node.pushes().hold());
        releasing(held);
        b.nodes().forEach(node -> assertThat(node.pushes().held()).isEqualTo(2));
        b.nodes().forEach(node -> node.pushes().releaseOne());
        cluster.world().drain();

        b.nodes().forEach(node -> node.answers().hold());
        CompletableFuture<ReleaseOutcome> outcome = releasing(second.join());
        b.nodes().forEach(node -> node.pushes().release());
        cluster.world().drain();
        assertThat(outcome).isNotDone();
        b.nodes().forEach(node -> node.answers().release());
        cluster.world().drain();

        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
        b.nodes().forEach(node -> assertThat(node.releases()).hasSize(1));
        releasing(third.join());
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void aGrantThatComesForTheLeaseFromAnotherNodeLaterIsItsOwn() {
        FakeClient c = cluster.client("c");
        c.nodes(0, 1).forEach(node -> node.requests().lose());
        CompletableFuture<Lease> minority = c.queue("x"); // c gets only the vote of the third node
        cluster.advance(millis(1));
        Lease lease = cluster.await(a.queue("x"));
        assertThat(cluster.votes(lease)).isEqualTo(2);

        minority.cancel(true);
        cluster.world().drain();

        assertThat(cluster.votes(lease)).isEqualTo(3);
        assertThat(a.node(2).releases()).isEmpty();
        lease.release();
        assertThat(cluster.traces("x")).isZero();
    }
}
