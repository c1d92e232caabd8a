package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.FanOut;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * RELEASE at many nodes (PROTOCOL §4, "Release"). The outcome is known as soon as a majority has answered. At unreachable nodes, the release retries in the
 * background until everything that they may hold has expired.
 */
public final class Release {

    private static final long FIRST_RETRY_NANOS = 50_000_000;
    private static final long LONGEST_RETRY_NANOS = 2_000_000_000;

    private final Quorum quorum;
    private final VoteSet votes;
    private final @Nullable Seal seal;
    private final boolean confirmsSeal; // whether the caller counts on the seal
    private final @Nullable LockValue value; // sent to nodes that are not known to keep it
    private final Moment began;
    private final long lifeMillis; // how long a released vote would have lasted
    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    private int open;
    private int released;
    private int absent;
    private boolean heard; // every node has answered or timed out

    private Release(VoteSet votes, @Nullable Seal seal, boolean confirmsSeal, @Nullable LockValue value) {
        this.quorum = votes.quorum;
        this.votes = votes;
        this.seal = seal;
        this.confirmsSeal = confirmsSeal;
        this.value = value;
        this.lifeMillis = votes.longestTtlMillis;
        this.began = quorum.timing().now();
    }

    /**
     * Releases a lease at all nodes, and writes back the value that nodes may lack. Must run on the serial executor.
     *
     * @param seal declares the work done, and says how long the nodes keep the resource sealed; null if the work is not done
     * @param value the lock's value for nodes that are not known to keep it; null to leave the value as it is
     */
    public static CompletableFuture<ReleaseOutcome> of(VoteSet votes, @Nullable Seal seal, @Nullable LockValue value) {
        votes.ended = true;
        Seal known = seal != null ? seal : votes.seal(votes.quorum.timing().now());
        Release release = new Release(votes, known, seal != null, value);
        release.begin(release.requests(vote -> true));
        return release.outcome;
    }

    /**
     * Returns the release of an attempt's present rounds at some nodes. The release must run on the serial executor, and may run after the next round has
     * begun.
     *
     * @param seal the seal that a node has returned to the attempt, for nodes that lack it; null if there is none
     */
    static Runnable prepared(VoteSet votes, Predicate<NodeVote> where, @Nullable Seal seal) {
        Release release = new Release(votes, seal, false, null);
        List<NodeRelease> requests = release.requests(where);
        return () -> release.begin(requests);
    }

    /**
     * Leaves a tombstone for a request that the release of its round has, or may have, overtaken. Either the request ended with an unknown result after the
     * release was sent, or the node answered it after the release. Must run on the serial executor.
     */
    static void behind(VoteSet votes, NodeVote vote, int round) {
        Release release = new Release(votes, null, false, null);
        release.begin(List.of(release.new NodeRelease(vote, round, true, true, FIRST_RETRY_NANOS)));
    }

    private List<NodeRelease> requests(Predicate<NodeVote> where) {
        List<NodeRelease> requests = new ArrayList<>(votes.all.length);
        for (NodeVote vote : votes.all) {
            if (where.test(vote)) {
                boolean buries = votes.isShared() || vote.mayArriveLate();
                boolean insists = seal != null || votes.isShared() || vote.mayBeKnown();
                requests.add(new NodeRelease(vote, vote.round, buries, insists, FIRST_RETRY_NANOS));
            }
        }
        return requests;
    }

    private void begin(List<NodeRelease> requests) {
        if (!requests.isEmpty()) {
            quorum.releaseBegun();
            send(requests);
        }
    }

    private void send(List<NodeRelease> requests) {
        open += requests.size();
        votes.send(NodeOperation.RELEASE, requests);
    }

    /** The release at one node: a request, and its retry if the node could not be reached. */
    final class NodeRelease extends FanOut.Request<ReleaseAnswer> {

        private final NodeVote vote;
        private final int round;
        private final boolean buries; // leaves a tombstone, since an ACQUIRE in doubt may arrive later
        private final boolean insists; // retries if the node cannot be reached
        private final long retryNanos;
        private @Nullable Timer timer;

        NodeRelease(NodeVote vote, int round, boolean buries, boolean insists, long retryNanos) {
            super(vote.node);
            this.vote = vote;
            this.round = round;
            this.buries = buries;
            this.insists = insists;
            this.retryNanos = retryNanos;
        }

        @Override
        public CompletionStage<ReleaseAnswer> send(LockNode node) {
            OwnerId owner = votes.owner(round);
            long buryMillis = buries ? lifeMillis : 0;
            Seal aged = seal == null ? null : seal.at(began, quorum.timing().now());
            LockValue carried = value != null && vote.lacks(value) ? value : null;
            return node.release(new ReleaseRequest(votes.settings.resource(), owner, buryMillis, aged, carried));
        }

        @Override
        protected void answered(ReleaseAnswer answer, boolean late) {
            open -= late ? 0 : 1;
            if (answer instanceof Unavailable) {
                retryLater();
            } else {
                vote.released(round);
            }
            released += answer instanceof ReleaseAnswer.Released ? 1 : 0;
            absent += answer instanceof ReleaseAnswer.Absent ? 1 : 0;
            decide();
        }

        @Override
        protected void timedOut() {
            open--;
            decide();
        }

        /** Retries later. A node that is down for a long time does not slow down the retries at the other nodes. */
        private void retryLater() {
            if (!insists || isOver()) {
                return;
            }
            long nextNanos = Math.min(retryNanos * 2, LONGEST_RETRY_NANOS);
            NodeRelease next = new NodeRelease(vote, round, true, true, nextNanos);
            next.timer = quorum.timing().scheduler().schedule(retryNanos, next::retry);
            quorum.waiting.add(next);
        }

        /** Retries once, because the retry is due or the node is available again. Runs on any thread. */
        void retry() {
            votes.executor.execute(() -> {
                if (quorum.waiting.remove(this) && timer != null) {
                    timer.cancel();
                    Release.this.send(List.of(this));
                }
            });
        }
    }

    /** Returns whether everything that the nodes may hold has expired. */
    private boolean isOver() {
        return new Deadline(began, TimeUnit.MILLISECONDS.toNanos(lifeMillis))
                .isPast(quorum.timing().now());
    }

    private void decide() {
        boolean majority = released + absent >= quorum.majority();
        if (absent >= quorum.majority()) {
            outcome.complete(ReleaseOutcome.EXPIRED);
        } else if (confirmsSeal ? released >= quorum.majority() : majority) {
            outcome.complete(ReleaseOutcome.RELEASED);
        } else if (open == 0) { // a seal on a minority does not stop a client with votes on the others
            outcome.complete(majority ? ReleaseOutcome.EXPIRED : ReleaseOutcome.UNCONFIRMED);
        }
        if (open == 0 && !heard) {
            heard = true;
            quorum.releaseHeard();
        }
    }
}
