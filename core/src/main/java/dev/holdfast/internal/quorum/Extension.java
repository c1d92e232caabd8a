package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.FanOut;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest.Update;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One extension of a lease (PROTOCOL §4, "Extension"): ACQUIRE at all nodes, with the lease's fence as floor and with heal. It heals nodes that were down, or
 * that restarted, back into the lease. It must never restore a vote where another owner has had one in between.
 *
 * <p>An extension can also be a raise for more tokens (PROTOCOL §7), with a larger floor and without heal. Healing is off because a healed vote may have missed
 * tokens that other owners had below that floor.
 */
public final class Extension {

    /** Notified of the result of an extension, on the serial executor of the lease. */
    public interface Listener {

        /**
         * Handles the consent of a majority. The lease is valid until the new end, if it has not ended before this call. The end counts from when the requests
         * were sent.
         */
        void extended(Deadline validity);

        /**
         * Handles a failure: all nodes have answered or timed out, and no majority agreed. The old end remains. Late answers may still lead to {@link
         * #extended}.
         *
         * @param lost why the lease is lost, if a majority of nodes no longer holds a vote for it; otherwise null
         * @param detail what the nodes answered, for people
         */
        void failed(Loss.@Nullable Reason lost, String detail);

        /** Handles a request that waits behind the lease. */
        void contended(Ticket waiter);
    }

    private final Quorum quorum;
    private final VoteSet votes;
    private final long ttlMillis;
    private final Update update;
    private final Listener listener;
    private final Moment sent;
    private final List<ExtendRequest> requests;
    private final List<String> details = new ArrayList<>(0);
    private int open;
    private boolean extended;
    private int denied;
    private boolean buried; // a node has a tombstone of the owner: the lease was released
    private int failures; // what was notified: 1 no majority agreed, 2 a majority denied

    private Extension(VoteSet votes, Update update, long ttlMillis, Listener listener) {
        this.quorum = votes.quorum;
        this.votes = votes;
        this.update = update;
        this.ttlMillis = ttlMillis;
        this.listener = listener;
        this.sent = quorum.timing().now();
        this.open = votes.all.length;
        this.requests = new ArrayList<>(open);
        for (NodeVote vote : votes.all) {
            requests.add(new ExtendRequest(vote));
            votes.requested(vote, ttlMillis);
        }
    }

    /**
     * Asks all nodes to extend the lease. Must run on the serial executor.
     *
     * @param update with heal: the fence that the lease bears, and the lock's value. The request sends the value to nodes that are not known to keep it, and a
     *     majority keeps it once {@link Listener#extended} runs. Without heal: a larger fence. Once {@link Listener#extended} runs, a majority of votes bears
     *     exactly that fence, and the lease owns the tokens up to it.
     * @param ttlMillis how long the votes last from now at least; an extension never shortens one
     */
    public static void start(VoteSet votes, Update update, long ttlMillis, Listener listener) {
        votes.send(NodeOperation.EXTEND, new Extension(votes, update, ttlMillis, listener).requests);
    }

    /** The request to one node, and whether the node has agreed. */
    private final class ExtendRequest extends FanOut.Request<AcquireAnswer> {

        private final NodeVote vote;
        private final int round;
        private final @Nullable ServerIdentity server;
        private final @Nullable LockValue carried;
        private boolean granted;

        ExtendRequest(NodeVote vote) {
            super(vote.node);
            this.vote = vote;
            this.round = vote.round;
            this.server = quorum.nodes().server(vote.node);
            LockValue value = update.value();
            this.carried = value != null && vote.lacks(value) ? value : null;
        }

        @Override
        public CompletionStage<AcquireAnswer> send(LockNode node) {
            Update sent = new Update(update.floor(), update.heal(), carried);
            return node.acquire(votes.settings.updateRequest(votes.owner(round), ttlMillis, sent));
        }

        @Override
        protected void answered(AcquireAnswer received, boolean late) {
            AcquireAnswer answer = quorum.nodes().counted(vote.node, server, received);
            open -= late ? 0 : 1;
            votes.answered(vote, round, answer);
            if (answer instanceof Granted yes) {
                vote.kept = carried != null ? carried : vote.kept;
                agree(yes);
            } else if (answer instanceof Unavailable unavailable) {
                note(unavailable.reason());
            } else {
                vote.kept = null; // a node that denies, or is quarantined, may have lost its state
                disagree(answer);
            }
            failIfDone();
        }

        @Override
        protected void timedOut() {
            open--;
            vote.timedOut(round);
            note("no answer in time");
            failIfDone();
        }

        private void agree(Granted answer) {
            if (answer.contender() != null) { // first: the next holder must know that a request waits
                listener.contended(answer.contender());
            }
            // after a raise, a larger fence means that the node has restored the vote on a fence based on its clock:
            // that proves nothing about tokens in between
            granted = update.heal() ? answer.fence() >= update.floor() : answer.fence() == update.floor();
            if (granted) {
                extendIfMajority();
            } else {
                note("another fence");
            }
        }

        private void disagree(AcquireAnswer answer) {
            if (answer instanceof Sealed sealed) {
                votes.sealed(sealed.seal(), sent);
            }
            denied += answer instanceof Quarantined ? 0 : 1;
            buried |= answer instanceof Denied no && no.reason() == Denied.Reason.BURIED;
            Blocker blocker = answer instanceof Denied no ? no.blocker() : null;
            String without = answer instanceof Quarantined ? "in quarantine" : "no vote";
            note(blocker == null ? without : "held by " + blocker.display());
        }

        private void note(String text) {
            details.add(quorum.nodes().name(vote.node) + ": " + text);
        }
    }

    private void extendIfMajority() {
        if (extended || agreed() < quorum.majority()) {
            return;
        }
        extended = true;
        long ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        listener.extended(new Deadline(sent, ttlNanos - Validity.driftNanos(ttlNanos)));
    }

    /** Returns how many nodes have granted the extension. A grant does not count if its server now stands behind another node's name. */
    private int agreed() {
        return (int) requests.stream()
                .filter(request -> request.granted && quorum.nodes().counts(request.vote.node, request.server))
                .count();
    }

    private void failIfDone() {
        Loss.Reason lost = denied < quorum.majority() ? null : buried ? Loss.Reason.RELEASED : Loss.Reason.TAKEN;
        int failure = lost != null ? 2 : open == 0 ? 1 : 0;
        if (!extended && failure > failures) {
            failures = failure;
            listener.failed(lost, String.join("; ", details));
        }
    }
}
