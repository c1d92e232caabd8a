package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.NodeRequest;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.internal.report.AttemptReport;
import dev.holdfast.internal.report.NodeReports;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's requests for votes: sends them, keeps what the nodes answer in the {@link VoteSet}, and releases the votes of nodes that do not count. Only the
 * {@link Attempt} decides the result of the votes. Accessed only on the attempt's serial executor.
 */
final class VoteRequests {

    private static final System.Logger LOG = System.getLogger(VoteRequests.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Notified while the attempt is live. */
    interface Listener {

        /** Handles the answer of a node, whose vote may have changed. */
        void answered(NodeVote vote);

        /** Handles the timeout of a node. */
        void timedOut();

        /** Handles the answer of a node that the work is done. */
        void sealed(Seal seal);
    }

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final VoteSet votes;
    private final RetrySchedule retries;
    private final AttemptReport report;
    private final Listener listener;
    private boolean live = true;
    private boolean ended;
    private long floor; // the fence that votes are raised to; 0 while votes are asked for
    private final AcquireRequest firstRequest; // the same for all nodes
    private long longestTtlMillis; // of votes for this resource, as far as known; nodes are quarantined by it

    VoteRequests(VoteSet votes, RetrySchedule retries, AttemptReport report, Listener listener) {
        this.quorum = votes.quorum;
        this.settings = votes.settings;
        this.votes = votes;
        this.retries = retries;
        this.report = report;
        this.listener = listener;
        this.longestTtlMillis = settings.ttlMillis();
        this.firstRequest = settings.voteRequest(votes.owner(0));
    }

    /** Asks all nodes. */
    void askAll() {
        ask(vote -> true);
    }

    void ask(NodeVote one) {
        ask(vote -> vote == one);
    }

    /** Asks the nodes whose retry is due. */
    void askDue() {
        long now = quorum.timing().ticker().nanos();
        ask(vote -> vote.retryAtNanos - now <= 0);
    }

    /** Asks the nodes whose votes bear less than this fence to raise them. */
    void raise(long fence, Moment now) {
        floor = fence;
        ask(vote -> {
            boolean lower = votes.needsRaise(vote, fence, now);
            vote.raisedTo = lower ? fence : vote.raisedTo;
            return lower;
        });
    }

    /** Asks for votes again, since the majority that was to be raised is lost. */
    void stopRaising() {
        floor = 0;
    }

    /** Stops listening to the nodes. Late answers still reach the votes. */
    void stop() {
        live = false;
    }

    /** Releases every vote, and passes the seal on to nodes that lack it; now, and if a late answer brings one. */
    void end() {
        stop();
        ended = true;
        Seal known = votes.seal(quorum.timing().now());
        votes.end();
        Release.start(votes, vote -> vote.mayNeedRelease() || lacks(vote, known), known);
    }

    /** Returns whether the node is not known to be sealed though another one is: a node that lost its state must not be the last node asked. */
    private static boolean lacks(NodeVote vote, @Nullable Seal seal) {
        return seal != null && !vote.sealed;
    }

    /** Releases the vote at one node; later requests to it are of a new round. */
    void release(NodeVote vote) {
        Release.start(votes, one -> one == vote, null);
        vote.nextRound();
    }

    /**
     * Yields this vote to an earlier request. An attempt that waits asks first and releases then: otherwise the node would grant votes beside the earlier
     * request to later ones that wait behind it.
     */
    void yieldVote(NodeVote vote) {
        Runnable release = Release.prepared(votes, vote);
        vote.nextRound();
        if (settings.waits()) {
            ask(vote);
        }
        release.run();
    }

    private void ask(Predicate<NodeVote> wanted) {
        Moment now = quorum.timing().now();
        List<VoteRequest> requests = new ArrayList<>(quorum.size());
        for (NodeVote vote : votes.all()) {
            if (wanted.test(vote) && !isQuarantined(vote, now)) {
                vote.queuedSince = vote.queuedSince == null ? now : vote.queuedSince;
                retries.sent(vote, now);
                vote.open++;
                vote.asked = quorum.nodes().server(vote.node);
                requests.add(new VoteRequest(vote, now));
                votes.requested(vote, settings.ttlMillis());
            }
        }
        if (!requests.isEmpty()) {
            votes.send(NodeOperation.ACQUIRE, requests);
        }
    }

    /** A request for a vote, or for a larger fence of one. */
    private final class VoteRequest extends NodeRequest<AcquireAnswer> {

        private final NodeVote vote;
        private final Moment sent;
        private final int round;
        private final long raiseTo; // 0 if it asks for a vote
        private final @Nullable ServerIdentity server;

        VoteRequest(NodeVote vote, Moment sent) {
            super(vote.node);
            this.vote = vote;
            this.sent = sent;
            this.round = vote.round();
            this.raiseTo = vote.until != null ? floor : 0;
            this.server = vote.asked;
        }

        @Override
        public CompletionStage<AcquireAnswer> send(LockNode node) {
            AcquireRequest request = round == 0 ? firstRequest : settings.voteRequest(votes.owner(round));
            return node.acquire(raiseTo > 0 ? request.raisedTo(raiseTo) : request);
        }

        @Override
        protected void answered(AcquireAnswer received, boolean late) {
            AcquireAnswer answer = quorum.nodes().counted(vote.node, server, received);
            vote.open -= late ? 0 : 1;
            vote.silent = false;
            votes.answered(vote, round, answer);
            if (answer instanceof Granted granted && raiseTo == 0 && round == vote.round()) {
                vote.keeps(granted.value());
            } else if (answer instanceof Sealed sealed) {
                learnSeal(vote, sealed.seal(), sent);
            }
            if (live) {
                vote.heard = true;
                if (vote.round() == round) {
                    hear(vote, answer, sent, raiseTo > 0);
                }
                listener.answered(vote);
                retries.arm();
            }
        }

        /** Keeps a known vote until it expires, because a timeout leaves the result of the request unknown. */
        @Override
        protected void timedOut() {
            vote.open--;
            vote.silent = true;
            vote.timedOut(round);
            if (live) {
                vote.heard = true;
                if (vote.round() == round) {
                    String after = "after " + DurationText.ofMillis(settings.nodeTimeoutNanos() / NANOS_PER_MILLI);
                    report.set(vote.node, words().of(vote.node, NodeReport.Kind.TIMEOUT, after));
                }
                listener.timedOut();
                retries.arm();
            }
        }
    }

    // ---- answers

    /** Notes a seal, also after the end. The lease writes it back; without a lease, it is written back at once. */
    private void learnSeal(NodeVote vote, Seal reported, Moment sent) {
        Moment now = quorum.timing().now();
        boolean first = votes.seal(now) == null;
        vote.sealed = true;
        votes.sealed(reported, sent);
        if (first && ended) {
            Seal seal = votes.seal(now);
            Release.start(votes, one -> lacks(one, seal), seal);
        }
    }

    private void hear(NodeVote vote, AcquireAnswer answer, Moment sent, boolean raised) {
        Moment now = quorum.timing().now();
        learnTtl(answer.longestTtlMillis());
        if ((answer instanceof Granted || answer instanceof Queued) && !isCounted(vote, now, true)) {
            LOG.log(
                    Level.DEBUG,
                    "Released {0} on {1}: the node is quarantined",
                    settings.name(),
                    quorum.name(vote.node));
        } else if (answer instanceof Granted granted) {
            vote.granted(granted.fence(), granted.value(), new Deadline(sent, settings.ttlNanos()), now);
            vote.contender = granted.contender();
            report.set(vote.node, words().of(vote.node, NodeReport.Kind.GRANTED));
        } else if (answer instanceof Queued queued) {
            hearQueued(vote, queued, sent, now);
        } else if (answer instanceof Denied denied) {
            hearDenied(vote, denied, raised);
            retries.retry(vote, now, retries.nextPoll(vote, denied.remainingMillis()));
        } else if (answer instanceof Sealed sealed) {
            hearSealed(vote, sealed.seal().reportedAt(sent, now));
        } else if (answer instanceof Quarantined quarantined) {
            quarantine(vote, quarantined.remainingMillis(), now);
        } else if (answer instanceof Unavailable unavailable) {
            report.set(vote.node, words().of(vote.node, NodeReport.Kind.ERROR, unavailable.reason()));
            retries.retry(vote, now, retries.nextPoll(vote, 0));
        }
        notifyWaiting();
    }

    private void hearQueued(NodeVote vote, Queued queued, Moment sent, Moment now) {
        Blocker blocker = queued.blocker();
        vote.queued(queued.fence(), sent, now);
        report.set(vote.node, words().queued(vote.node, blocker, queued.remainingMillis(), queued.place()));
        boolean poll = blocker != null && blocker.kind() != Blocker.Kind.HOLDFAST;
        long millis = queued.remainingMillis();
        retries.retry(vote, now, poll ? retries.nextPoll(vote, millis) : millis * NANOS_PER_MILLI);
    }

    /** Handles a denial. A vote whose raise is denied is lost; any remainder of it at the node is released before the next request. */
    private void hearDenied(NodeVote vote, Denied denied, boolean raised) {
        boolean gone = vote.until != null || raised || denied.reason() == Denied.Reason.BURIED;
        vote.until = null;
        vote.touched = gone;
        vote.blocker = denied.blocker();
        report.set(vote.node, words().held(vote.node, denied.blocker(), denied.remainingMillis()));
        if (gone && settings.waits()) {
            release(vote);
        }
    }

    /** Handles a seal. One SEALED answer proves that the work was done, so all other nodes are sealed too. */
    private void hearSealed(NodeVote vote, Seal seal) {
        vote.until = null;
        report.set(vote.node, words().sealed(vote.node, seal));
        listener.sealed(seal);
    }

    /** Notes a vote that a push proves. A push that bears no larger fence than the last QUEUED answer is older than that answer, and stale. */
    void believe(NodeVote vote, long fence, @Nullable LockValue value) {
        Moment now = quorum.timing().now();
        boolean known = vote.isKnown(now);
        if (!isCounted(vote, now, true)) {
            return;
        }
        if (!known
                && fence > vote.seenFence
                && vote.queuedSince != null
                && quorum.nodes().counts(vote.node, vote.asked)) {
            long life = Math.min(settings.ttlNanos(), settings.waiterTtlNanos());
            vote.granted(fence, value, new Deadline(vote.queuedSince, life), now);
            vote.keeps(value);
            report.set(vote.node, words().of(vote.node, NodeReport.Kind.GRANTED));
        }
    }

    /** Notifies the observer of the wait, if there is one and the attempt is live. */
    void notifyWaiting() {
        if (live) {
            report.notifyWaiting(quorum.majority(), votes.owner());
        }
    }

    private NodeReports words() {
        return report.words();
    }

    // ---- nodes whose votes do not count

    /**
     * Returns whether the node is quarantined for the longer ttl of other requests. Such a node is not asked: it knows only this request's ttl, and its vote
     * would not count.
     */
    private boolean isQuarantined(NodeVote vote, Moment now) {
        return longestTtlMillis != settings.ttlMillis() && !isCounted(vote, now, false);
    }

    /** Returns whether the node's votes count; if they do not, releases what it may have. */
    private boolean isCounted(NodeVote vote, Moment now, boolean hasVote) {
        long remaining = quarantineMillis(vote);
        if (remaining > 0) {
            vote.touched |= hasVote;
            quarantine(vote, remaining, now);
        }
        return remaining == 0;
    }

    private long quarantineMillis(NodeVote vote) {
        return quorum.nodes().node(vote.node).quarantineMillis(longestTtlMillis);
    }

    /** Releases everything that the node has of this attempt, since its votes do not count and must keep no other request waiting. */
    private void quarantine(NodeVote vote, long remainingMillis, Moment now) {
        vote.heard = true;
        if (vote.mayNeedRelease()) {
            release(vote);
        }
        vote.until = null;
        report.set(vote.node, words().quarantined(vote.node, remainingMillis));
        retries.retry(vote, now, remainingMillis * NANOS_PER_MILLI);
    }

    /** Learns that a node remembers votes with a longer ttl: nodes that started too recently for that ttl no longer count. */
    private void learnTtl(long ttlMillis) {
        if (ttlMillis > longestTtlMillis) {
            longestTtlMillis = ttlMillis;
            Moment now = quorum.timing().now();
            for (NodeVote vote : votes.all()) {
                long remaining = quarantineMillis(vote);
                if (remaining > 0 && vote.touched) {
                    quarantine(vote, remaining, now);
                }
            }
        }
    }
}
