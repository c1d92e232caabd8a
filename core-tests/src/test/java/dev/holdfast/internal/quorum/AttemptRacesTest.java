package dev.holdfast.internal.quorum;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An attempt has one result in every order of events, and releases each granted vote unless it wins. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class AttemptRacesTest {

    /** Delivers everything that is under way, and then every timeout. After that, only a lease may have votes, and it must have a majority. */
    private static void settle(HandClient client, Tried tried) {
        client.settle();
        client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
        client.time.fireDue();
        client.settle();
        require(tried.results.get() == 1, tried.results + " results");
        if (tried.won.join()) {
            require(client.votes() >= client.quorum.majority(), "won with " + client.votes() + " votes");
        } else {
            require(!client.isAnywhere(), "refused, but a vote or a place in line was left behind");
        }
    }

    /** An attempt and its result. */
    private static final class Tried implements Attempt.Listener {

        final AtomicInteger results = new AtomicInteger();
        final CompletableFuture<Boolean> won = new CompletableFuture<>();
        final SerialExecutor executor = new SerialExecutor();
        final Attempt attempt;

        Tried(HandClient client, boolean waits) {
            attempt = Attempt.start(client.quorum, HandClient.settings(waits), "", executor, this);
        }

        @Override
        public void won(Grant grant) {
            end(true);
        }

        @Override
        public void refused(Refusal refusal) {
            end(false);
        }

        private void end(boolean held) {
            results.incrementAndGet();
            won.complete(held);
        }

        @Override
        public void starved() {}

        void expire() {
            executor.execute(attempt::expire);
        }

        void cancel() {
            attempt.cancel(Refusal.Reason.CANCELLED);
        }
    }

    @Test
    void answersAgainstCancelling() {
        Interleavings.check(500, () -> {
            HandClient client = new HandClient(2);
            Tried tried = new Tried(client, false);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(1).serve(), tried::cancel);
            settle(client, tried);
        });
    }

    @Test
    void answersAgainstTheirTimeout() {
        Interleavings.check(500, () -> {
            HandClient client = new HandClient(2);
            Tried tried = new Tried(client, false);
            client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(1).serve(), () -> client.time.fireDue());
            settle(client, tried);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstCancelling() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Tried tried = new Tried(client, true);
            client.nodes.get(0).serve();
            together(() -> client.nodes.get(0).vacate(), tried::cancel);
            settle(client, tried);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstTheAnswerThatItOvertakes() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Tried tried = new Tried(client, true);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(0).vacate());
            if (!tried.won.isDone()) { // the release came first, and found an empty queue
                tried.cancel();
            }
            settle(client, tried);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstTheEndOfTheWait() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Tried tried = new Tried(client, true);
            client.nodes.get(0).serve();
            together(() -> client.nodes.get(0).vacate(), tried::expire);
            settle(client, tried);
        });
    }

    private static HandClient inLine() {
        HandClient client = new HandClient(1);
        client.nodes.get(0).occupy();
        return client;
    }
}
