package dev.holdfast.internal.lease;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Threads of one client that acquire, release, cancel and lose one lock concurrently. Each has one outcome, never two hold it at once, and nothing is left
 * behind.
 */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class LocalQueueRacesTest {

    private static final long WAIT_MILLIS = 100;
    private static final long LINGER_MILLIS = 20;

    /** A client whose nodes answer at once, and the client's threads that want the lock. */
    private static final class Shared {

        final HandClient client = new HandClient(1);
        final ClientLeases keeper = new ClientLeases(client.quorum, ttl -> {});
        final LockOptions options;
        final List<ClientLeases.Pending> all = new ArrayList<>();
        final List<LeaseHandle> holds = new ArrayList<>(); // in the order in which they were granted
        final List<Loss> losses = new ArrayList<>();
        private String wrong = "";

        Shared(long lingerMillis) {
            options = LockOptions.defaults().linger(Duration.ofMillis(lingerMillis));
            client.nodes.get(0).beginToAnswerAtOnce();
        }

        /** Requests the lock, in a thread of the experiment or before the experiment. */
        ClientLeases.Pending enter() {
            ClientLeases.Pending pending = HandClient.acquire(keeper, WAIT_MILLIS, options);
            pending.outcome().thenAccept(this::came);
            synchronized (all) {
                all.add(pending);
            }
            return pending;
        }

        /** Checks at once whether another thread holds the lock: grants are delivered in the queue's serial executor, so two checks never overlap. */
        private void came(Acquisition outcome) {
            if (!outcome.isHeld()) {
                return;
            }
            for (LeaseHandle other : holds) {
                if (other.isHeld()) {
                    wrong = "two have it at once";
                }
                if (other.fencingToken() >= ((LeaseHandle) outcome.lease()).fencingToken()) {
                    wrong = "a token did not rise";
                }
            }
            holds.add((LeaseHandle) outcome.lease());
        }

        /** Returns a thread's lease on the lock. */
        LeaseHandle holder() {
            return (LeaseHandle) enter().outcome().join().lease();
        }

        /** Lets every holder release the lock until no thread arrives any more; then nothing may be left. */
        void checkOver(String how) {
            client.settle();
            for (int round = 0; round <= all.size(); round++) {
                for (int hold = 0; hold < holds.size(); hold++) {
                    holds.get(hold).startRelease();
                }
                client.time.pass(1); // the client does not request more tokens at once
                client.time.fireDue();
                client.settle();
            }
            client.time.pass(Math.max(HandClient.NODE_TIMEOUT_MILLIS, LINGER_MILLIS));
            client.time.fireDue();
            client.settle();
            require(wrong.isEmpty(), how + ": " + wrong);
            for (ClientLeases.Pending pending : all) {
                require(pending.outcome().isDone(), how + ": no outcome");
            }
            for (LeaseHandle hold : holds) {
                require(!hold.isHeld(), how + ": still held");
            }
            require(!client.isAnywhere(), how + ": a vote or a place in line was left behind");
            require(
                    client.time.pending() <= 1,
                    how + ": " + client.time.pending() + " timers were left"); // for suspensions
        }

        int refused() {
            int refused = 0;
            for (ClientLeases.Pending pending : all) {
                refused += pending.outcome().join().isHeld() ? 0 : 1;
            }
            return refused;
        }
    }

    /** A thread that arrives when the last one leaves gets the lease that is about to be released, or a new lease. */
    @Test
    void comingAgainstGivingBack() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            LeaseHandle first = shared.holder();
            together(first::startRelease, shared::enter);
            shared.checkOver("coming against giving back");
            require(shared.holds.size() == 2, "granted " + shared.holds.size() + " times");
        });
    }

    @Test
    void twoThatComeAtTheSameTime() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            together(shared::enter, shared::enter);
            shared.checkOver("two that come");
            require(shared.holds.size() == 2, "granted " + shared.holds.size() + " times");
        });
    }

    /** The waiter has the lock for a moment, or never: a lease that it was granted and no longer wants is released. */
    @Test
    void cancellingAgainstHandingOn() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            LeaseHandle first = shared.holder();
            ClientLeases.Pending second = shared.enter();
            shared.enter();
            together(first::startRelease, second::cancel);
            shared.checkOver("cancelling against handing on");
            require(shared.holds.size() + shared.refused() == 3, "somebody has two outcomes");
            require(shared.refused() <= 1, "who did not cancel was refused");
        });
    }

    @Test
    void theEndOfTheWaitAgainstHandingOn() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            LeaseHandle first = shared.holder();
            shared.enter();
            shared.client.time.pass(WAIT_MILLIS);
            together(first::startRelease, () -> shared.client.time.fireDue());
            shared.checkOver("the end of the wait against handing on");
            require(shared.holds.size() + shared.refused() == 2, "somebody has two outcomes");
        });
    }

    @Test
    void closingAgainstHandingOn() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            LeaseHandle first = shared.holder();
            shared.enter();
            List<CompletableFuture<Void>> closed = new ArrayList<>();
            together(first::startRelease, () -> closed.add(shared.keeper.close()));
            shared.checkOver("closing against handing on");
            require(closed.get(0).isDone(), "closing never ended");
        });
    }

    @Test
    void closingAgainstComing() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            shared.holder();
            List<CompletableFuture<Void>> closed = new ArrayList<>();
            together(shared::enter, () -> closed.add(shared.keeper.close()));
            shared.client.settle();
            require(!shared.client.isAnywhere(), "a vote or a place in line was left behind");
            shared.checkOver("closing against coming");
            require(closed.get(0).isDone(), "closing never ended");
            require(shared.refused() == 1, "who came when it closed was not refused");
        });
    }

    /** The holder at that moment is notified of a loss, or no thread is. */
    @Test
    void losingAgainstHandingOn() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(0);
            LeaseHandle first = shared.holder();
            first.onLost(shared.losses::add);
            shared.enter();
            shared.client.time.pass(HandClient.TTL_MILLIS - 20); // within the margin in which the loss is reported
            together(first::startRelease, () -> shared.client.time.fireDue());
            shared.checkOver("losing against handing on");
            require(shared.losses.size() <= 1, "lost " + shared.losses.size() + " times");
            require(shared.holds.size() + shared.refused() == 2, "somebody has two outcomes");
        });
    }

    /** A lingering lease is reused or released at the nodes: no thread receives a lease that is ending. */
    @Test
    void comingAgainstTheEndOfLingering() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(LINGER_MILLIS);
            shared.holder().startRelease();
            shared.client.time.pass(LINGER_MILLIS);
            together(shared::enter, () -> shared.client.time.fireDue());
            shared.checkOver("coming against the end of lingering");
            require(shared.holds.size() == 2, "granted " + shared.holds.size() + " times");
        });
    }

    @Test
    void comingAgainstOneWhoWaitsElsewhere() {
        Interleavings.check(30, () -> {
            Shared shared = new Shared(LINGER_MILLIS);
            LeaseHandle first = shared.holder();
            first.startRelease();
            OwnerId owner = OwnerId.parse(first.owner()).orElseThrow();
            Push push = new Push.Contended("lock", owner, 1, new Ticket(1, "other~00000000"), null);
            together(shared::enter, () -> shared.client.listeners.get(0).pushed(push));
            shared.checkOver("coming against one who waits elsewhere");
            require(shared.holds.size() == 2, "granted " + shared.holds.size() + " times");
        });
    }
}
