package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.FanOut;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.internal.report.AttemptReport;
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
import dev.holdfast.node.Push;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's requests for votes: sends them, keeps the nodes' answers in the {@link VoteSet}, and releases the votes of nodes that do not count. Only the
 * {@link Attempt} decides the result of the votes. Accessed only on the attempt's serial executor.
 */
final class VoteRequests {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final VoteSet votes;
    private final RetrySchedule retries;
    private final AttemptReport report;
    private final Consumer<NodeVote> listener;
    private boolean live = true;
    private long floor; // the fence to which votes are raised; 0 while the attempt asks for votes
    private final AcquireRequest firstRequest; // the same for all nodes
    private long longestTtlMillis; // the longest known ttl of this resource, which decides the quarantine

    /**
     * Creates the requests without sending any.
     *
     * @param listener notified of each answer and timeout while the attempt is live
     */
    VoteRequests(VoteSet votes, RetrySchedule retries, AttemptReport report, Consumer<NodeVote> listener) {
        this.quorum = votes.quorum;
        this.settings = votes.settings;
        this.votes = votes;
        this.retries = retries;
        this.report = report;
        this.listener = listener;
        this.longestTtlMillis = settings.ttlMillis();
        this.firstRequest = settings.voteRequest(votes.owner(0));
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

    /** Returns whether the attempt continues, and is not raising the lower votes of a majority. */
    boolean isAsking() {
        return live && floor == 0;
    }

    /** Asks for votes again, since the majority that was to be raised is lost. */
    void stopRaising() {
        floor = 0;
    }

    /** Returns whether the attempt continues. */
    boolean isLive() {
        return live;
    }

    /** Stops requests and reports. Late answers still reach the votes. */
    void stop() {
        live = false;
        retries.stop();
        report.stop();
    }

    /** Releases every vote, and passes a known seal on to nodes that lack it. {@link #learnSeal} passes on a seal that a late answer brings. */
    void end() {
        stop();
        Seal known = votes.seal(quorum.timing().now());
        votes.ended = true;
        Release.prepared(votes, vote -> vote.mayNeedRelease() || lacks(vote, known), known)
                .run();
    }

    /** Returns whether a seal is known that this node may lack. Such nodes get the seal too, so that it survives if other nodes lose their state. */
    private static boolean lacks(NodeVote vote, @Nullable Seal seal) {
        return seal != null && vote.seal == null;
    }

    /** Releases the vote at one node; later requests to it are of a new round. */
    void release(NodeVote vote) {
        Release.prepared(votes, one -> one == vote, null).run();
        vote.nextRound();
    }

    /**
     * Yields this vote to an earlier request. An attempt that waits first queues again, and then releases the vote. Otherwise the node would also grant votes
     * to later requests, which must wait behind this attempt.
     */
    void yieldVote(NodeVote vote) {
        Runnable release = Release.prepared(votes, one -> one == vote, null);
        vote.nextRound();
        if (settings.waits()) {
            ask(one -> one == vote);
        }
        release.run();
    }

    /** Asks these nodes for their votes, except those that are quarantined. */
    void ask(Predicate<NodeVote> wanted) {
        Moment now = quorum.timing().now();
        List<VoteRequest> requests = new ArrayList<>(votes.all.length);
        for (NodeVote vote : votes.all) {
            if (wanted.test(vote) && (longestTtlMillis == settings.ttlMillis() || !isQuarantined(vote, now))) {
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

    /** A request for a vote, or for a larger fence of a vote. */
    private final class VoteRequest extends FanOut.Request<AcquireAnswer> {

        private final NodeVote vote;
        private final Moment sent;
        private final int round;
        private final long raiseTo; // 0 for a request for a vote
        private final @Nullable ServerIdentity server;

        VoteRequest(NodeVote vote, Moment sent) {
            super(vote.node);
            this.vote = vote;
            this.sent = sent;
            this.round = vote.round;
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
            if (answer instanceof Granted granted && raiseTo == 0 && round == vote.round) {
                vote.kept = granted.value();
            } else if (answer instanceof Sealed sealed) {
                learnSeal(vote, sealed.seal(), sent);
            }
            learnTtl(answer.longestTtlMillis()); // about the lock, so answers of earlier rounds count too
            if (live && (vote.round == round || answer instanceof Sealed)) {
                hear(vote, asItCounts(vote, answer), sent, raiseTo > 0);
            }
            heard(vote);
        }

        /** Keeps a known vote until it expires, because a timeout leaves the result of the request unknown. */
        @Override
        protected void timedOut() {
            vote.open--;
            vote.silent = true;
            vote.timedOut(round);
            if (live && vote.round == round) {
                String after = "after " + DurationText.ofMillis(settings.nodeTimeoutNanos() / NANOS_PER_MILLI);
                report.set(vote.node, NodeReport.Kind.TIMEOUT, after);
            }
            heard(vote);
        }
    }

    // ---- answers

    private void heard(NodeVote vote) {
        if (live) {
            vote.heard = true;
            listener.accept(vote);
            retries.arm();
        }
    }

    /** Notes a seal, even after the end. The lease writes the seal back; without a lease, this method does so at once. */
    private void learnSeal(NodeVote vote, Seal reported, Moment sent) {
        Moment now = quorum.timing().now();
        boolean first = votes.seal(now) == null;
        vote.seal = reported.reportedAt(sent, now);
        votes.sealed(reported, sent);
        if (first && votes.ended) {
            Seal seal = votes.seal(now);
            Release.prepared(votes, one -> lacks(one, seal), seal).run();
        }
    }

    private void hear(NodeVote vote, AcquireAnswer answer, Moment sent, boolean raised) {
        Moment now = quorum.timing().now();
        report.answered(vote.node, answer);
        if (answer instanceof Granted granted) {
            vote.granted(granted.fence(), granted.value(), new Deadline(sent, settings.ttlNanos()), now);
            vote.contender = granted.contender();
        } else if (answer instanceof Queued queued) {
            vote.queued(queued.fence(), sent, now);
            Blocker blocker = queued.blocker();
            boolean poll = blocker != null && blocker.kind() != Blocker.Kind.HOLDFAST;
            long millis = queued.remainingMillis();
            retries.retry(vote, now, poll ? retries.nextPoll(vote, millis) : millis * NANOS_PER_MILLI);
        } else if (answer instanceof Denied denied) {
            hearDenied(vote, denied, raised);
            retries.retry(vote, now, retries.nextPoll(vote, denied.remainingMillis()));
        } else if (answer instanceof Quarantined quarantined) {
            quarantine(vote, quarantined, now);
        } else if (answer instanceof Unavailable) {
            retries.retry(vote, now, retries.nextPoll(vote, 0));
        }
        report.notifyWaiting();
    }

    /** Handles a denial. A vote whose raise is denied is lost; any remainder of it at the node is released before the next request. */
    private void hearDenied(NodeVote vote, Denied denied, boolean raised) {
        boolean gone = vote.until != null || raised || denied.reason() == Denied.Reason.BURIED;
        vote.until = null;
        vote.touched = gone;
        vote.blocker = denied.blocker();
        if (gone && settings.waits()) {
            release(vote);
        }
    }

    /**
     * Notes a vote that a push proves. A push that bears no larger fence than the last QUEUED answer does not prove one. It is older than that answer, or
     * another client computed a smaller base for the fences of this run. So the attempt asks the node.
     */
    void believe(NodeVote vote, Push push) {
        Moment now = quorum.timing().now();
        vote.touched = true;
        if (isQuarantined(vote, now)
                || vote.queuedSince == null
                || !quorum.nodes().counts(vote.node, vote.asked)) {
            return;
        }
        boolean known = vote.until != null && !vote.until.isPast(now); // counted or not
        if (!known && push.fence() > vote.seenFence) {
            long life = Math.min(settings.ttlNanos(), settings.waiterTtlNanos());
            vote.granted(push.fence(), push.value(), new Deadline(vote.queuedSince, life), now);
            vote.kept = push.value();
            report.set(vote.node, NodeReport.Kind.GRANTED, "");
        } else if (!known && push instanceof Push.Granted && settings.waits()) {
            ask(one -> one == vote);
        }
    }

    // ---- nodes whose votes do not count

    private long quarantineMillis(NodeVote vote) {
        return quorum.nodes().node(vote.node).quarantineMillis(longestTtlMillis);
    }

    /**
     * Returns the answer as the attempt counts it. A seal has aged on the way, and a node that knows only this request's ttl may be quarantined for the longer
     * ttl of other requests.
     */
    private AcquireAnswer asItCounts(NodeVote vote, AcquireAnswer answer) {
        if (answer instanceof Sealed && vote.seal != null) {
            return new Sealed(vote.seal);
        }
        boolean hasVote = answer instanceof Granted || answer instanceof Queued;
        long remaining = hasVote ? quarantineMillis(vote) : 0;
        vote.touched |= remaining > 0;
        return remaining > 0 ? new Quarantined(remaining) : answer;
    }

    /** Returns whether the node's votes do not count; if so, releases what the node may hold. */
    private boolean isQuarantined(NodeVote vote, Moment now) {
        long remaining = quarantineMillis(vote);
        if (remaining > 0) {
            quarantine(vote, new Quarantined(remaining), now);
        }
        return remaining > 0;
    }

    /** Releases everything that the node holds for this attempt: votes that do not count must not keep other requests waiting. */
    private void quarantine(NodeVote vote, Quarantined quarantined, Moment now) {
        vote.heard = true;
        if (vote.mayNeedRelease()) {
            release(vote);
        }
        vote.until = null;
        report.answered(vote.node, quarantined);
        retries.retry(vote, now, quarantined.remainingMillis() * NANOS_PER_MILLI);
    }

    /** Learns that a node remembers votes with a longer ttl: nodes that started too recently for that ttl no longer count. */
    private void learnTtl(long ttlMillis) {
        if (live && ttlMillis > longestTtlMillis) {
            longestTtlMillis = ttlMillis;
            Stream.of(votes.all)
                    .filter(vote -> vote.touched)
                    .forEach(vote -> isQuarantined(vote, quorum.timing().now()));
        }
    }
}
