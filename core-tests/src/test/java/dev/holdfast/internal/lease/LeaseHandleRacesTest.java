package dev.holdfast.internal.lease;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Races between the release, extension, loss and checks of one lease. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class LeaseHandleRacesTest {

    /** A lease on two nodes, and the notifications that its user received. */
    private static final class Held {

        final HandClient client = new HandClient(2);
        final ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
        final List<Loss> losses = new ArrayList<>();
        final LeaseHandle lease;

        Held() {
            ClientLeases.Pending pending =
                    HandClient.acquire(keeper, 0, LockOptions.defaults().autoExtend(false));
            client.nodes.get(0).serve();
            client.nodes.get(1).serve();
            Lease made = pending.outcome().join().lease();
            lease = (LeaseHandle) made;
            lease.onLost(losses::add);
        }

        void serve() {
            client.nodes.get(0).serve();
            client.nodes.get(1).serve();
        }

        /** Delivers everything; then nothing may be left at the nodes, and the user may have been notified of one end at most. */
        void checkOver(String how) {
            client.settle();
            require(!lease.isHeld(), how + ": still held");
            require(!client.isAnywhere(), how + ": votes were left behind");
            require(losses.size() <= 1, how + ": lost " + losses.size() + " times");
        }
    }

    /** A release and a loss at the same moment: one of the two happens, and both outcomes agree on which. */
    @Test
    void releaseAgainstLoss() {
        Interleavings.check(60, () -> {
            Held held = new Held();
            held.client.time.pass(HandClient.TTL_MILLIS - 20); // within the margin in which the loss is reported
            List<CompletableFuture<ReleaseOutcome>> releases = new ArrayList<>();
            together(() -> releases.add(held.lease.startRelease()), () -> held.client.time.fireDue());
            held.checkOver("release against loss");
            boolean lost = !held.losses.isEmpty();
            ReleaseOutcome outcome = releases.get(0).join();
            require(lost == (outcome == ReleaseOutcome.EXPIRED), "lost " + lost + ", but " + outcome);
        });
    }

    /** Two releases and a check: a thread that has seen the lease released never sees it held again. */
    @Test
    void releaseAgainstReleaseAndLooks() {
        Interleavings.check(60, () -> {
            Held held = new Held();
            List<String> wrong = new ArrayList<>();
            together(
                    () -> {
                        held.lease.startRelease();
                        held.serve();
                    },
                    () -> {
                        boolean ended = !held.lease.isHeld();
                        if (ended && held.lease.isHeld()) {
                            wrong.add("held again");
                        }
                    },
                    held.lease::startRelease);
            require(wrong.isEmpty(), "a lease that had ended was held");
            held.checkOver("release against release");
            require(held.losses.isEmpty(), "released, and told lost");
            require(held.lease.startRelease().join() == ReleaseOutcome.RELEASED, "not released");
        });
    }

    /** The extension may come before or after the release; after the release, nothing is left at the nodes, and no vote returns. */
    @Test
    void extensionAgainstRelease() {
        Interleavings.check(60, () -> {
            Held held = new Held();
            List<CompletableFuture<ExtendOutcome>> extensions = new ArrayList<>();
            together(
                    () -> extensions.add(held.lease
                            .extendAsync(Duration.ofMillis(HandClient.TTL_MILLIS))
                            .toCompletableFuture()),
                    held.lease::startRelease,
                    held::serve);
            held.checkOver("extension against release");
            require(extensions.get(0).isDone(), "the extension has no outcome");
        });
    }

    /** An extension whose answers arrive when the lease ends. Either the lease is extended and held, or it is lost, with one notification and no votes left. */
    @Test
    void extensionAgainstLoss() {
        Interleavings.check(60, () -> {
            Held held = new Held();
            CompletableFuture<ExtendOutcome> extension = held.lease
                    .extendAsync(Duration.ofMillis(HandClient.TTL_MILLIS))
                    .toCompletableFuture();
            held.client.time.pass(HandClient.TTL_MILLIS - 20);
            together(held::serve, () -> held.client.time.fireDue());
            held.client.settle();
            ExtendOutcome outcome = extension.join();
            if (held.lease.isHeld()) {
                require(held.losses.isEmpty(), "held, but told lost");
                require(held.client.votes() == 2, "held without votes");
            } else {
                require(held.losses.size() == 1, "lost " + held.losses.size() + " times, " + outcome);
                held.checkOver("extension against loss");
            }
        });
    }
}
