package dev.holdfast.internal.node;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.observe.NodeOperation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Races between the answers of nodes and the timeout. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class FanOutRacesTest {

    /** A request and its outcome. */
    private static final class Heard extends FanOut.Request<AcquireAnswer> {

        private final OwnerId owner;
        private final AtomicInteger inTime = new AtomicInteger();
        private final AtomicInteger timeouts = new AtomicInteger();
        private final AtomicInteger late = new AtomicInteger();

        Heard(int node, OwnerId owner) {
            super(node);
            this.owner = owner;
        }

        @Override
        public CompletionStage<AcquireAnswer> send(LockNode node) {
            return node.acquire(AcquireRequest.forQueuedVote(
                    "lock", owner, LockMode.EX, HandClient.TTL_MILLIS, HandClient.TTL_MILLIS, 1));
        }

        @Override
        protected void answered(AcquireAnswer received, boolean isLate) {
            (isLate ? late : inTime).incrementAndGet();
        }

        @Override
        protected void timedOut() {
            timeouts.incrementAndGet();
        }

        void check() {
            String said = "node " + node() + ": in time " + inTime + ", timeouts " + timeouts + ", late " + late;
            require(inTime.get() + timeouts.get() == 1, said);
            require(late.get() == timeouts.get(), said);
        }
    }

    private static Heard[] requests(HandClient client) {
        OwnerId owner = new OwnerId(client.quorum.client(), 7, 0);
        return new Heard[] {new Heard(0, owner), new Heard(1, owner)};
    }

    private static void send(HandClient client, Heard... requests) {
        SerialExecutor executor = new SerialExecutor();
        executor.execute(() -> FanOut.send(
                client.quorum.nodes(),
                executor,
                HandClient.NODE_TIMEOUT_MILLIS * 1_000_000,
                NodeOperation.ACQUIRE,
                List.of(requests)));
    }

    @Test
    void everyNodeIsHeardOrTimesOutAndAnAnswerAfterThatIsLate() {
        Interleavings.check(1_000, () -> {
            HandClient client = new HandClient(2);
            Heard[] heard = requests(client);
            send(client, heard);
            client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(1).serve(), () -> client.time.fireDue());
            heard[0].check();
            heard[1].check();
            require(client.time.pending() == 0, "the timer is left");
        });
    }

    /** Answers that arrive while requests are still being sent: no timer may stay behind, or an idle client would have timers. */
    @Test
    void noTimerIsLeftWhenAllHaveAnswered() {
        Interleavings.check(100, () -> {
            HandClient client = new HandClient(2);
            Heard[] heard = requests(client);
            together(
                    () -> send(client, heard),
                    () -> client.nodes.get(0).serve(),
                    () -> client.nodes.get(1).serve());
            client.settle();
            heard[0].check();
            heard[1].check();
            require(client.time.pending() == 0, "the timer is left");
        });
    }
}
