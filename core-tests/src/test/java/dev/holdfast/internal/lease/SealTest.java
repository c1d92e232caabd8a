package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Work that is done for good (PROTOCOL §3, "seal"). */
class SealTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private static Refusal.Reason reason(Acquisition acquisition) {
        return ((Acquisition.Refused) acquisition).refusal().reason();
    }

    @Test
    void nobodyGetsTheLockUntilTheRetentionIsOver() {
        Lease lease = a.acquire("x");

        assertThat(cluster.await(lease.sealAsync(HOUR))).isEqualTo(SealOutcome.SEALED);

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
        assertThat(reason(a.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
        cluster.advance(HOUR);
        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void theLeaseIsOver() {
        Lease lease = a.acquire("x");
        cluster.await(lease.sealAsync(HOUR));

        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("sealed");
        assertThat(cluster.await(lease.extendAsync(seconds(30)))).isEqualTo(ExtendOutcome.LOST);
        assertThat(cluster.await(lease.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(cluster.await(lease.sealAsync(HOUR)))
                .as("the first one's outcome")
                .isEqualTo(SealOutcome.SEALED);
    }

    @Test
    void thoseWhoWaitAreToldAtOnce() {
        Lease lease = a.acquire("x");
        CompletableFuture<Lease> mine = a.queue("x");
        CompletableFuture<Lease> mineToo = a.queue("x");
        CompletableFuture<Lease> others = b.queue("x");

        cluster.await(lease.sealAsync(HOUR));
        cluster.advance(seconds(11));

        assertThat(mine).isCompletedExceptionally();
        assertThat(mineToo).isCompletedExceptionally();
        assertThat(others).isCompletedExceptionally();
    }

    @Test
    void aLeaseThatWasLostCanStillBeSealed() {
        Lease lease = a.acquire(a.lock("x").ttl(seconds(2)).autoExtend(false));
        cluster.advance(seconds(3));
        assertThat(lease.isHeld()).isFalse();

        assertThat(cluster.await(lease.sealAsync(HOUR))).isEqualTo(SealOutcome.SEALED_LATE);

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
    }

    @Test
    void aLeaseThatWasReleasedCanNot() {
        Lease lease = a.acquire("x");
        cluster.await(lease.releaseAsync());

        assertThat(cluster.await(lease.sealAsync(HOUR))).isEqualTo(SealOutcome.RELEASED_BEFORE);

        assertThat(b.tryAcquire("x").isHeld()).isTrue();
    }

    @Test
    void withoutAMajorityItIsUnknownAndTheRestIsToldLater() {
        Lease lease = a.acquire("x");
        cluster.server(0).stop();
        cluster.server(1).stop();

        assertThat(cluster.await(lease.sealAsync(HOUR))).isEqualTo(SealOutcome.UNCONFIRMED);
        cluster.server(0).start();
        cluster.server(1).start();
        cluster.advance(millis(100));

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
        assertThat(sealedMillis(0)).isPositive();
        assertThat(sealedMillis(1)).isPositive();
    }

    @Test
    void oneNodeThatKnowsIsEnoughIfItAnswersBeforeAMajorityHasGranted() {
        Lease lease = a.acquire("x");
        a.nodes(0, 1).forEach(node -> node.requests().lose());
        cluster.await(lease.sealAsync(HOUR));
        cluster.advance(seconds(40));
        b.node(0).requests().hold();

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
        assertThat(sealedMillis(1))
                .as("the seal reaches a node that has granted a vote")
                .isPositive();
    }

    private long sealedMillis(int server) {
        Seal seal = cluster.server(server).state(FakeCluster.resource("x")).seal();
        return seal == null ? 0 : seal.remainingMillis().orElseThrow();
    }

    private void restart(int server) {
        cluster.server(server).stop();
        cluster.server(server).startEmpty();
        cluster.advance(millis(100));
    }

    @Test
    void whoMeetsASealWritesItBackToANodeThatLacksIt() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        restart(0);
        cluster.advance(seconds(31)); // the node votes again
        b.node(0).answers().hold(); // the other nodes report the seal before this one grants its vote

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);

        assertThat(sealedMillis(0)).isBetween(HOUR.toMillis() - 60_000, HOUR.toMillis());
        assertThat(cluster.server(0).state(FakeCluster.resource("x")).holders()).isEmpty();
    }

    @Test
    void alsoToOneInQuarantine() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        restart(0);

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);

        assertThat(sealedMillis(0)).isPositive();
    }

    @Test
    void alsoToOneThatIsAwayOnceItIsThere() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        cluster.server(0).stop();

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);
        cluster.server(0).startEmpty();
        cluster.advance(seconds(3));

        assertThat(sealedMillis(0)).isPositive();
    }

    @Test
    void aNodeThatHasSaidThatItIsSealedIsToldNothing() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        int before = b.node(0).releases().size();

        b.tryAcquire("x");

        assertThat(b.node(0).releases()).hasSize(before);
    }

    @Test
    void whoIsPassedASealOnStillKnowsWhoDidTheWorkAndWhen() {
        Lease lease = a.acquire("x");
        cluster.await(lease.sealAsync(HOUR));
        restart(0);
        cluster.advance(seconds(60));
        b.tryAcquire("x");
        restart(1);
        restart(2);

        Refusal refusal = ((Acquisition.Refused) b.tryAcquire("x")).refusal();
        assertThat(refusal.reason()).isEqualTo(Refusal.Reason.SEALED);
        assertThat(refusal.seal().by()).isEqualTo(lease.owner());
        assertThat(refusal.seal().ago()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    }

    @Test
    void aRefusalPromisesNoMoreOfASealThanIsLeftWhenItsAnswerArrives() {
        cluster.await(a.acquire("x").sealAsync(seconds(60)));
        b.nodes().forEach(node -> node.answers().delay(millis(400)));

        Refusal refusal = ((Acquisition.Refused) b.tryAcquire("x")).refusal();

        assertThat(refusal.reason()).isEqualTo(Refusal.Reason.SEALED);
        assertThat(refusal.seal().remaining()).isLessThanOrEqualTo(millis(sealedMillis(0)));
    }

    @Test
    void aSealIsPassedOnForNoLongerThanItLasts() {
        cluster.await(a.acquire("x").sealAsync(seconds(60)));
        restart(0);
        b.node(1).answers().delay(millis(400));
        b.node(2).answers().delay(millis(400));

        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.SEALED);

        assertThat(sealedMillis(0)).isLessThanOrEqualTo(sealedMillis(1));
    }

    @Test
    void aHolderThatMeetsASealWritesItBackWhenItReleases() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        restart(0);
        restart(1);
        cluster.advance(seconds(31));
        b.node(2).answers().hold(); // the node that knows the seal answers too late
        Lease second = b.acquire("x");
        b.node(2).answers().release();
        assertThat(second.isHeld()).isTrue();

        assertThat(cluster.await(second.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(sealedMillis(0)).isPositive();
        assertThat(sealedMillis(1)).isPositive();
    }

    /** No other node has voted or knows of the work, and the attempt has ended. */
    @Test
    void anAnswerThatComesAfterTheRefusalPassesTheSealOn() {
        cluster.await(a.acquire("x").sealAsync(HOUR));
        restart(0);
        restart(1);
        b.node(2).answers().hold();
        assertThat(reason(b.tryAcquire("x"))).isEqualTo(Refusal.Reason.NO_QUORUM);

        b.node(2).answers().release();
        cluster.world().drain();

        assertThat(sealedMillis(0)).isPositive();
        assertThat(sealedMillis(1)).isPositive();
    }

    @Test
    void aSealThatIsUsedBetweenTwoRestartsOutlivesARollingRestartOfNodesWithoutPersistence() {
        cluster.await(a.acquire("x").sealAsync(HOUR));

        for (int restart = 0; restart < 30; restart++) {
            restart(restart % 3);
            assertThat(reason(b.tryAcquire("x")))
                    .as("after restart %d", restart)
                    .isEqualTo(Refusal.Reason.SEALED);
            cluster.advance(seconds(16)); // so that two nodes are in quarantine, and one votes
        }
    }

    /** A seal does not revoke an older vote of another client, so a node at which this lease had no vote proves nothing. */
    @Test
    void itIsNotCertainAsLongAsAnotherMayHaveAMajorityOfOlderVotes() {
        a.node(2).requests().hold();
        Lease lease = a.acquire(a.lock("x").ttl(seconds(1)).autoExtend(false));
        b.queue("x"); // has the vote of the third node
        a.node(2).requests().lose();
        a.node(2).requests().pass();
        cluster.advance(millis(200));
        a.node(1).requests().lose(); // the lease expires at this node

        assertThat(cluster.await(lease.sealAsync(HOUR))).isEqualTo(SealOutcome.SEALED_LATE);
    }

    @Test
    void retentionHasItsLimits() {
        Lease lease = a.acquire("x");

        assertThatThrownBy(() -> lease.seal(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lease.seal(Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
        assertThat(lease.isHeld()).isTrue();
        assertThat(cluster.await(lease.sealAsync(Duration.ofNanos(1_000_001)))).isEqualTo(SealOutcome.SEALED);
    }
}
