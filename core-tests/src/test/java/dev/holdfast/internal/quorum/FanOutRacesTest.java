package dev.holdfast.internal.quorum;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.observe.NodeOperation;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers of nodes against the timeout. */
@Tag("slow")
class FanOutRacesTest {

    /** What the receiver was told of each node. */
    private static final class Heard implements Receiver<AcquireAnswer> {

        final AtomicIntegerArray inTime = new AtomicIntegerArray(2);
        final AtomicIntegerArray timeouts = new AtomicIntegerArray(2);
        final AtomicIntegerArray late = new AtomicIntegerArray(2);

        @Override
        public void answered(int node, AcquireAnswer answer, boolean isLate) {
            (isLate ? late : inTime).incrementAndGet(node);
        }

        @Override
        public void timedOut(int node) {
            timeouts.incrementAndGet(node);
        }

        void check(int node) {
            String said = "node " + node + ": in time " + inTime.get(node) + ", timeouts " + timeouts.get(node)
                    + ", late " + late.get(node);
            require(inTime.get(node) + timeouts.get(node) == 1, said);
            require(late.get(node) == timeouts.get(node), said);
        }
    }

    private static void send(HandClient client, Heard heard) {
        OwnerId owner = new OwnerId(client.quorum.client(), 7, 0);
        SerialExecutor executor = new SerialExecutor();
        executor.execute(() -> FanOut.send(
                client.quorum,
                executor,
                client.quorum.all(),
                HandClient.NODE_TIMEOUT_MILLIS * 1_000_000,
                NodeOperation.ACQUIRE,
                (node, index) -> node.acquire(Requests.waiting(owner)),
                heard));
    }

    @Test
    void everyNodeIsHeardOrTimesOutAndAnAnswerAfterThatIsLate() {
        Interleavings.check(1_000, () -> {
            HandClient client = new HandClient(2);
            Heard heard = new Heard();
            send(client, heard);
            client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(1).serve(), () -> client.time.fireDue());
            heard.check(0);
            heard.check(1);
            require(client.time.pending() == 0, "the timer is left");
        });
    }

    /** Answers that come while the questions are still being sent: no timer stays behind, or a client that is idle has timers. */
    @Test
    void noTimerIsLeftWhenAllHaveAnswered() {
        Interleavings.check(100, () -> {
            HandClient client = new HandClient(2);
            Heard heard = new Heard();
            together(
                    () -> send(client, heard),
                    () -> client.nodes.get(0).serve(),
                    () -> client.nodes.get(1).serve());
            client.settle();
            heard.check(0);
            heard.check(1);
            require(client.time.pending() == 0, "the timer is left");
        });
    }
}
