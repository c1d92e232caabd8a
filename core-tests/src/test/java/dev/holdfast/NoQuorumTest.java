package dev.holdfast;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.recipe.MultiAcquisition;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** C12: waits without a limit end, and are reported, while no majority of nodes answers. */
class NoQuorumTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private void cutOff() {
        a.nodes(0, 1).forEach(node -> node.requests().lose());
    }

    private CompletableFuture<Acquisition> ask(FakeClient client, Duration wait) {
        CompletableFuture<Acquisition> asked = client.lock("x").tryAcquireAsync(wait);
        cluster.world().drain();
        return asked;
    }

    private static Refusal refusal(CompletableFuture<Acquisition> ended) {
        assertThat(ended).isDone();
        return ((Acquisition.Refused) ended.join()).refusal();
    }

    @Test
    void c12_aWaitWithoutALimitEndsOnceNoMajorityHasAnsweredFor30Seconds() {
        cutOff();
        CompletableFuture<Acquisition> waiting = ask(a, DistributedLock.FOREVER);
        cluster.advance(seconds(29));
        assertThat(waiting).isNotDone();

        cluster.advance(seconds(3));

        assertThat(refusal(waiting).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
        assertThat(refusal(waiting).exception()).isInstanceOf(NoQuorumException.class);
        cluster.advance(seconds(60));
        assertThat(cluster.traces("x")).isZero();
    }

    @Test
    void c12_aWaitBehindAHolderHasNoEnd() {
        Lease held = b.acquire("x");
        CompletableFuture<Acquisition> waiting = ask(a, DistributedLock.FOREVER);
        a.node(0).requests().lose();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(waiting).isNotDone();

        cluster.await(held.releaseAsync());
        cluster.advance(seconds(20));

        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void c12_aQuarantinedNodeDoesNotCountAsAnswering() {
        a.nodes(0, 1).forEach(node -> node.quarantine(Duration.ofMinutes(10)));
        CompletableFuture<Acquisition> waiting = ask(a, DistributedLock.FOREVER);

        cluster.advance(seconds(32));

        assertThat(refusal(waiting).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @Test
    void c12_aMajorityThatAnswersInBetweenBeginsTheTimeAgain() {
        b.acquire("x");
        cutOff();
        CompletableFuture<Acquisition> waiting = ask(a, DistributedLock.FOREVER);
        cluster.advance(seconds(25));
        a.nodes().forEach(node -> node.heal());
        cluster.advance(seconds(10));
        cutOff();
        cluster.advance(seconds(29));
        assertThat(waiting).isNotDone();

        cluster.advance(seconds(15));

        assertThat(refusal(waiting).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @Test
    void c12_theCallersOwnLimitStandsThoughOthersOfItsClientHaveNone() {
        cutOff();
        CompletableFuture<Acquisition> limited = ask(a, seconds(70));
        CompletableFuture<Acquisition> unlimited = ask(a, DistributedLock.FOREVER);

        cluster.advance(seconds(32));
        assertThat(refusal(unlimited).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
        assertThat(limited).isNotDone();
        a.nodes().forEach(node -> node.heal());
        cluster.advance(seconds(10));

        assertThat(limited.join().isHeld()).isTrue();
    }

    @Test
    void c12_aWaiterThatLeavesBeforeTheNodesCanAnswerWaitedForTheLock() {
        a.nodes().forEach(node -> node.answers().delay(millis(20)));
        CompletableFuture<Acquisition> first = ask(a, seconds(10));
        CompletableFuture<Acquisition> behind = ask(a, millis(10));

        cluster.advance(millis(15));

        assertThat(refusal(behind).reason()).isEqualTo(Refusal.Reason.HELD);
        cluster.advance(millis(10));
        assertThat(first.join().isHeld()).isTrue();
    }

    @Test
    void c12_theTimeoutIsASetting() {
        FakeClient brief = cluster.client("brief", settings -> settings.noQuorumTimeout(seconds(2)));
        FakeClient patient = cluster.client("patient", settings -> settings.noQuorumTimeout(DistributedLock.FOREVER));
        brief.nodes(0, 1).forEach(node -> node.requests().lose());
        patient.nodes(0, 1).forEach(node -> node.requests().lose());
        CompletableFuture<Acquisition> first = ask(brief, DistributedLock.FOREVER);
        CompletableFuture<Acquisition> second = ask(patient, DistributedLock.FOREVER);

        cluster.advance(seconds(4));
        assertThat(refusal(first).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
        cluster.advance(Duration.ofHours(1));
        assertThat(second).isNotDone();
    }

    @Test
    void c12_timeInWhichTheClientDidNotRunIsNotCounted() {
        cutOff();
        CompletableFuture<Acquisition> waiting = ask(a, DistributedLock.FOREVER);
        cluster.advance(seconds(10));
        a.pause();
        cluster.advance(seconds(60));
        a.resume();
        cutOff();

        cluster.advance(seconds(15));
        assertThat(waiting).isNotDone();
        cluster.advance(seconds(10));
        assertThat(waiting).isDone();
    }

    @Test
    void c12_recipesEndToo() {
        b.acquire("x");
        cluster.await(b.holdfast().semaphore("s", 2).tryAcquireAsync(Duration.ZERO));
        cluster.await(b.holdfast().semaphore("s", 2).tryAcquireAsync(Duration.ZERO));
        CompletableFuture<MultiAcquisition> locks =
                a.holdfast().locks("w", "x").tryAcquireAsync(DistributedLock.FOREVER);
        CompletableFuture<Acquisition> permit = a.holdfast().semaphore("s", 2).tryAcquireAsync(DistributedLock.FOREVER);
        cluster.advance(seconds(1));
        cutOff();

        cluster.advance(seconds(45));

        assertThat(((MultiAcquisition.Refused) locks.join()).refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
        assertThat(refusal(permit).reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @Test
    void c12_aWarningIsLoggedAfter5SecondsAndAgainAtGrowingIntervals() {
        cutOff();
        try (LogRecorder log = LogRecorder.of("dev.holdfast.internal.report.NoQuorumAlarm")) {
            ask(a, Duration.ofMinutes(10));
            a.lock("y").tryAcquireAsync(Duration.ofMinutes(10));
            cluster.advance(millis(4_900));
            assertThat(log.messages(Level.WARNING)).isEmpty();
            cluster.advance(seconds(2));
            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("waits without a majority for 5 s: 1 of 3 nodes answer, 2 are needed");
            cluster.advance(seconds(10));
            assertThat(log.messages(Level.WARNING)).hasSize(2);
            cluster.advance(seconds(60));
            assertThat(log.messages(Level.WARNING)).hasSize(4);
        }
    }
}
