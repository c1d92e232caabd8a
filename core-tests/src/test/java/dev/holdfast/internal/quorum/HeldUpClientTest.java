package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Refusal;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client that stood still does not blame the nodes: its timers fire late, while the answers wait to be read. */
class HeldUpClientTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");

    private void standStill() {
        a.pause();
        cluster.advance(seconds(20));
        a.resume();
        cluster.advance(millis(1));
    }

    @Test
    void anAnswerThatWaitedWhileTheClientStoodStillIsNoTimeout() {
        a.nodes().forEach(node -> node.requests().delay(millis(10)));
        CompletableFuture<Acquisition> attempt = a.lock("x").tryAcquireAsync(millis(0));
        standStill();

        assertThat(attempt).isCompleted();
        assertThat(attempt.join()).isNotInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void anExtensionThatWaitedWhileTheClientStoodStillIsNoTimeout() {
        Lease lease = a.acquire("x");
        a.nodes().forEach(node -> node.requests().delay(millis(10)));
        var extended = lease.extendAsync(seconds(30));
        a.pause();
        cluster.advance(seconds(5));
        a.resume();
        cluster.advance(millis(1));

        assertThat(extended).isCompleted();
        assertThat(lease.remaining()).isGreaterThan(seconds(24));
    }

    @Test
    void aNodeThatHasAnsweredIsNotDown() {
        a.nodes().forEach(node -> node.requests().delay(millis(10)));
        CompletableFuture<List<NodeStatus>> nodes = a.holdfast().admin().nodesAsync();
        CompletableFuture<LockStatus> status = a.holdfast().admin().statusAsync("x");
        standStill();

        assertThat(nodes).isCompleted();
        assertThat(nodes.join()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.UP);
        assertThat(status).isCompleted();
        assertThat(status.join().answered()).isEqualTo(3);
    }

    @Test
    void aNodeThatDoesNotAnswerIsReportedAfterItsTimeoutAndNotLater() {
        a.nodes().forEach(node -> node.answers().lose());
        CompletableFuture<Acquisition> attempt = a.lock("x").tryAcquireAsync(millis(0));
        cluster.advance(millis(499));
        assertThat(attempt).isNotDone();
        cluster.advance(millis(1));

        assertThat(attempt).isCompleted();
        assertThat(((Acquisition.Refused) attempt.join()).refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
    }

    @Test
    void aNodeThatDoesNotAnswerIsReportedAfterItsTimeoutAndWhatTheClientMissed() {
        a.nodes().forEach(node -> node.answers().lose());
        CompletableFuture<Acquisition> attempt = a.lock("x").tryAcquireAsync(millis(0));
        cluster.advance(millis(200));
        a.machine().pause();
        cluster.advance(seconds(3));
        a.machine().resume();
        cluster.advance(millis(499));

        assertThat(attempt).isCompleted();
    }

    @Test
    void aClientWhoseTimersAreAlwaysLateStillReportsANodeThatDoesNotAnswer() {
        a.nodes().forEach(node -> node.answers().lose());
        CompletableFuture<Acquisition> attempt = a.lock("x").tryAcquireAsync(millis(0));
        for (int turn = 0; turn < 100 && !attempt.isDone(); turn++) {
            a.machine().pause();
            cluster.advance(millis(100));
            a.machine().resume();
            cluster.advance(millis(0));
        }

        assertThat(attempt).isCompleted();
    }
}
