package dev.holdfast.quorum;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.Refusal;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One result, and whatever was granted is given back unless it was won: whoever comes first. */
@Tag("slow")
class AttemptRacesTest {

    /** Everything that is under way arrives, then every timeout; only a lease has votes, and it has a majority. */
    private static void settle(HandClient client, Attempt attempt, AtomicInteger results) {
        client.settle();
        client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
        client.time.fireDue();
        client.settle();
        require(results.get() == 1, results + " results");
        if (attempt.result().join() instanceof AttemptResult.Won) {
            require(client.votes() >= client.quorum.majority(), "won with " + client.votes() + " votes");
        } else {
            require(!client.isAnywhere(), "refused, but a vote or a place in line was left behind");
        }
    }

    private static AtomicInteger counted(Attempt attempt) {
        AtomicInteger results = new AtomicInteger();
        attempt.result().thenRun(results::incrementAndGet);
        return results;
    }

    @Test
    void answersAgainstCancelling() {
        Interleavings.check(500, () -> {
            HandClient client = new HandClient(2);
            Attempt attempt = Attempt.start(client.quorum, HandClient.settings(0));
            AtomicInteger results = counted(attempt);
            together(
                    () -> client.nodes.get(0).serve(),
                    () -> client.nodes.get(1).serve(),
                    () -> attempt.cancel(Refusal.Reason.CANCELLED));
            settle(client, attempt, results);
        });
    }

    @Test
    void answersAgainstTheirTimeout() {
        Interleavings.check(500, () -> {
            HandClient client = new HandClient(2);
            Attempt attempt = Attempt.start(client.quorum, HandClient.settings(0));
            AtomicInteger results = counted(attempt);
            client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(1).serve(), () -> client.time.fireDue());
            settle(client, attempt, results);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstCancelling() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Attempt attempt = Attempt.start(client.quorum, HandClient.settings(1_000));
            AtomicInteger results = counted(attempt);
            client.nodes.get(0).serve();
            together(() -> client.nodes.get(0).vacate(), () -> attempt.cancel(Refusal.Reason.CANCELLED));
            settle(client, attempt, results);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstTheAnswerThatItOvertakes() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Attempt attempt = Attempt.start(client.quorum, HandClient.settings(1_000));
            AtomicInteger results = counted(attempt);
            together(
                    () -> client.nodes.get(0).serve(), () -> client.nodes.get(0).vacate());
            if (!attempt.result().isDone()) { // the grant came first, and found nobody in line
                attempt.cancel(Refusal.Reason.CANCELLED);
            }
            settle(client, attempt, results);
        });
    }

    @Test
    void aGrantThatIsPushedAgainstTheEndOfTheWait() {
        Interleavings.check(500, () -> {
            HandClient client = inLine();
            Attempt attempt = Attempt.start(client.quorum, HandClient.settings(100));
            AtomicInteger results = counted(attempt);
            client.nodes.get(0).serve();
            client.time.pass(100);
            together(() -> client.nodes.get(0).vacate(), () -> client.time.fireDue());
            settle(client, attempt, results);
        });
    }

    private static HandClient inLine() {
        HandClient client = new HandClient(1);
        client.nodes.get(0).occupy();
        return client;
    }
}
