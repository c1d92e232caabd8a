package dev.holdfast.internal.lease;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client that is closed while attempts begin and end: it releases their votes before it closes the connections. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class ClientLeasesRacesTest {

    private static final LockOptions ALONE = LockOptions.defaults().localHandOver(false);

    /** Closes as {@code Holdfast.close} does: the connections close after the leases have ended. */
    private static CompletableFuture<Void> close(HandClient client, ClientLeases keeper) {
        CompletableFuture<Void> closed = keeper.close();
        return closed.thenRun(client.quorum::close);
    }

    private static void checkNothingLeft(HandClient client, List<CompletableFuture<Void>> closed) {
        client.settle();
        client.time.pass(HandClient.NODE_TIMEOUT_MILLIS);
        client.time.fireDue();
        client.settle();
        require(closed.get(0).isDone(), "closing never ended");
        require(!client.isAnywhere(), "a vote was left behind");
    }

    @Test
    void closingAgainstAnAttemptThatBegins() {
        Interleavings.check(30, () -> {
            HandClient client = new HandClient(1);
            client.nodes.get(0).beginToAnswerAtOnce();
            ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
            List<CompletableFuture<Void>> closed = new ArrayList<>();
            together(() -> HandClient.acquire(keeper, 0, ALONE), () -> closed.add(close(client, keeper)));
            checkNothingLeft(client, closed);
        });
    }

    @Test
    void closingAgainstARelease() {
        Interleavings.check(60, () -> {
            HandClient client = new HandClient(1);
            client.nodes.get(0).beginToAnswerAtOnce();
            ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
            Lease lease = HandClient.acquire(keeper, 0, ALONE).outcome().join().lease();
            List<CompletableFuture<Void>> closed = new ArrayList<>();
            together(() -> ((LeaseHandle) lease).startRelease(), () -> closed.add(close(client, keeper)));
            checkNothingLeft(client, closed);
        });
    }

    @Test
    void closingAgainstTheAnswersOfAnAttempt() {
        Interleavings.check(40, () -> {
            HandClient client = new HandClient(1);
            ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
            HandClient.acquire(keeper, 0, ALONE);
            List<CompletableFuture<Void>> closed = new ArrayList<>();
            together(() -> client.nodes.get(0).serve(), () -> closed.add(close(client, keeper)));
            checkNothingLeft(client, closed);
        });
    }

    @Test
    void cancellingAgainstTheAnswersOfAnAttempt() {
        Interleavings.check(40, () -> {
            HandClient client = new HandClient(1);
            ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
            ClientLeases.Pending pending = HandClient.acquire(keeper, 0, ALONE);
            together(() -> client.nodes.get(0).serve(), pending::cancel);
            client.settle();
            require(pending.outcome().isDone(), "no outcome");
            require(!client.isAnywhere(), "a vote was left behind");
        });
    }
}
