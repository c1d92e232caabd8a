package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.NodeRequest;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
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
 * One extension of a lease (PROTOCOL §4, "Extension"): ACQUIRE with the lease's fence as floor, and heal, at all nodes. It heals nodes that were down, or that
 * restarted, back into the lease. It must never restore a vote where another owner has had one in between.
 *
 * <p>An extension can also be a raise for more tokens (PROTOCOL §7), with a larger floor and without heal. A healed vote may have missed tokens that other
 * owners had below that floor.
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
         * Handles a failure: all nodes have answered or timed out, and no majority agreed. The old end remains. Late answers may still make it
         * {@link #extended}.
         *
         * @param anothers whether a majority of nodes no longer holds a vote for this lease
         * @param detail what the nodes answered, for people
         */
        void failed(boolean anothers, String detail);

        /** Handles a request that waits behind the lease. */
        void contended(Ticket waiter);
    }

    private final Quorum quorum;
    private final VoteSet votes;
    private final long ttlMillis;
    private final long floor;
    private final boolean raises;
    private final @Nullable LockValue value;
    private final Listener listener;
    private final Moment sent;
    private final List<ExtendRequest> requests;
    private @Nullable StringBuilder detail;
    private int open;
    private boolean extended;
    private int denied;
    private int failures; // notified: 1 no majority agreed, 2 a majority denied

    private Extension(
            VoteSet votes, long ttlMillis, long floor, boolean raises, @Nullable LockValue value, Listener listener) {
        this.quorum = votes.quorum;
        this.votes = votes;
        this.ttlMillis = ttlMillis;
        this.floor = floor;
        this.raises = raises;
        this.value = value;
        this.listener = listener;
        this.sent = quorum.timing().now();
        this.open = quorum.size();
        this.requests = new ArrayList<>(open);
    }

    /**
     * Asks all nodes to extend the lease. Must run on the serial executor.
     *
     * @param fence the fence that the lease bears
     * @param ttlMillis how long the votes last from now at least; an extension never shortens one
     * @param value the lock's value that a majority keeps once {@link Listener#extended} runs; it is sent to nodes that are not known to keep it; null to leave
     *     the value as it is
     */
    public static void extend(VoteSet votes, long fence, long ttlMillis, @Nullable LockValue value, Listener listener) {
        new Extension(votes, ttlMillis, fence, false, value, listener).start();
    }

    /**
     * Asks all nodes to let the lease's votes bear this larger fence, and to extend them. Once {@link Listener#extended} runs, a majority of votes
     * bears exactly that fence, and the tokens up to it are the lease's. Must run on the serial executor.
     */
    public static void raise(VoteSet votes, long fence, long ttlMillis, Listener listener) {
        new Extension(votes, ttlMillis, fence, true, null, listener).start();
    }

    private void start() {
        for (NodeVote vote : votes.all()) {
            requests.add(new ExtendRequest(vote));
            votes.requested(vote, ttlMillis);
        }
        votes.send(NodeOperation.EXTEND, requests);
    }

    /** The request to one node, and whether the node has agreed. */
    private final class ExtendRequest extends NodeRequest<AcquireAnswer> {

        private final NodeVote vote;
        private final int round;
        private final @Nullable ServerIdentity server;
        private final @Nullable LockValue carried;
        private boolean granted;

        ExtendRequest(NodeVote vote) {
            super(vote.node);
            this.vote = vote;
            this.round = vote.round();
            this.server = quorum.nodes().server(vote.node);
            this.carried = value != null && vote.lacks(value) ? value : null;
        }

        @Override
        public CompletionStage<AcquireAnswer> send(LockNode node) {
            AcquireRequest request = votes.settings.voteRequest(votes.owner(round), ttlMillis);
            return node.acquire(raises ? request.raisedTo(floor) : request.extending(floor, carried));
        }

        @Override
        protected void answered(AcquireAnswer received, boolean late) {
            AcquireAnswer answer = quorum.nodes().counted(vote.node, server, received);
            open -= late ? 0 : 1;
            votes.answered(vote, round, answer);
            if (answer instanceof Granted) {
                if (carried != null) {
                    vote.keeps(carried);
                }
            } else if (!(answer instanceof Unavailable)) {
                vote.keeps(null); // a node that denies, or is quarantined, may have lost its state
            }
            hear(answer);
            failIfDone();
        }

        @Override
        protected void timedOut() {
            open--;
            vote.timedOut(round);
            note("no answer in time");
            failIfDone();
        }

        private void hear(AcquireAnswer answer) {
            if (answer instanceof Granted yes) {
                notifyContended(yes.contender()); // first: the next holder must know that a request waits
                if (suffices(yes.fence())) {
                    granted = true;
                    extendIfMajority();
                } else {
                    note("another fence");
                }
            } else if (answer instanceof Denied no) {
                denied++;
                note(
                        no.blocker() == null
                                ? "no vote"
                                : "held by " + no.blocker().display());
            } else if (answer instanceof Sealed sealed) {
                votes.sealed(sealed.seal(), sent);
                denied++;
                note("no vote");
            } else if (answer instanceof Queued) {
                denied++;
                note("no vote");
            } else if (answer instanceof Quarantined) {
                note("in quarantine");
            } else if (answer instanceof Unavailable unavailable) {
                note(unavailable.reason());
            }
        }

        private void note(String text) {
            detail = detail == null ? new StringBuilder() : detail.append("; ");
            detail.append(quorum.name(vote.node)).append(": ").append(text);
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

    /** Returns how many nodes have granted it. A grant does not count if its server now stands behind another node's name. */
    private int agreed() {
        int agreed = 0;
        for (ExtendRequest request : requests) {
            agreed += request.granted && quorum.nodes().counts(request.vote.node, request.server) ? 1 : 0;
        }
        return agreed;
    }

    /**
     * Returns whether the fence of a vote suffices. After a raise, a larger fence means that the vote was restored on a fence based on time. Such a vote proves
     * nothing about the tokens in between.
     */
    private boolean suffices(long fence) {
        return raises ? fence == floor : fence >= floor;
    }

    private void notifyContended(@Nullable Ticket contender) {
        if (contender != null) {
            listener.contended(contender);
        }
    }

    private void failIfDone() {
        boolean anothers = denied >= quorum.majority();
        boolean news = failures == 0 || (anothers && failures == 1);
        if (!extended && news && (open == 0 || anothers)) {
            failures = anothers ? 2 : 1;
            listener.failed(anothers, detail == null ? "" : detail.toString());
        }
    }
}
