package dev.holdfast.internal.quorum;

import dev.holdfast.internal.report.AttemptReport;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Moment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One try of a client to acquire a resource (PROTOCOL §4, "Attempt" to "No majority is possible").
 *
 * <p>The attempt is ASKING for votes until it has a majority of them, and RAISING the lower ones if they bear different fences. Then it has WON, and
 * a lease is made, or it has ENDED, and every vote is released. All steps run on one serial executor.
 */
public final class Attempt implements PushTarget {

    private enum Phase {
        ASKING,
        RAISING,
        WON,
        ENDED,
    }

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final SerialExecutor executor;
    private final Consumer<AttemptResult> listener;
    private final Runnable starved;
    private final VoteSet votes;
    private final AttemptReport report;
    private final RetrySchedule retries;
    private final VoteRequests requests;

    private Phase phase = Phase.ASKING;
    private boolean deadlinePassed;
    private long floor; // the fence that a majority is raised to

    private Attempt(
            Quorum quorum,
            AttemptSettings settings,
            SerialExecutor executor,
            Consumer<AttemptResult> listener,
            Runnable starved) {
        this.quorum = quorum;
        this.settings = settings;
        this.executor = executor;
        this.listener = listener;
        this.starved = starved;
        this.report = new AttemptReport(settings.name(), quorum.reports(), quorum.timing(), quorum.size());
        this.votes = new VoteSet(quorum, executor, settings);
        this.retries = new RetrySchedule(votes, this::retryDue);
        this.requests = new VoteRequests(votes, retries, report, new Answers());
    }

    /**
     * Starts an attempt; returns before the answers are in.
     *
     * @param executor where all its steps run
     * @param listener notified there, once, of the result of the attempt; runs on a node's thread or a timer's, so it must be short and must not block
     * @param starved runs on the serial executor, perhaps more than once, when no majority of nodes has answered for the client's noQuorumTimeout
     */
    public static Attempt start(
            Quorum quorum,
            AttemptSettings settings,
            SerialExecutor executor,
            Consumer<AttemptResult> listener,
            Runnable starved) {
        Attempt attempt = new Attempt(quorum, settings, executor, listener, starved);
        quorum.register(attempt.votes.attempt(), attempt);
        executor.execute(attempt.requests::askAll);
        return attempt;
    }

    /** Ends the attempt and releases every vote; has no effect once there is a result. */
    public void cancel(Refusal.Reason reason) {
        executor.execute(() -> end(reason, null));
    }

    /** Notifies this observer from now on, on the serial executor, of each state of the wait. Must run on the serial executor. */
    public void observe(Consumer<Waiting> observer) {
        if (settings.waits()) {
            report.reportTo(observer);
            if (votes.any(vote -> vote.heard)) {
                requests.notifyWaiting();
            }
        }
    }

    /** Ends the wait, but not before the first round of answers, which takes one node timeout at most. Must run on the serial executor. */
    public void expire() {
        if (isLive()) {
            deadlinePassed = true;
            retries.stopRetries();
            evaluate();
        }
    }

    /** Returns whether every node has answered, or timed out, at least once. Must run on the serial executor. */
    public boolean hasHeardAll() {
        return !votes.any(vote -> !vote.heard);
    }

    private boolean isLive() {
        return phase == Phase.ASKING || phase == Phase.RAISING;
    }

    private void retryDue() {
        requests.askDue();
        evaluate(); // votes may have expired meanwhile
    }

    private final class Answers implements VoteRequests.Listener {

        @Override
        public void answered(NodeVote vote) {
            evaluate();
            yieldIfAsked(vote);
        }

        @Override
        public void timedOut() {
            evaluate();
        }

        /** Ends the attempt. One SEALED answer proves that the work was done, so all other nodes are sealed too. */
        @Override
        public void sealed(Seal seal) {
            end(Refusal.Reason.SEALED, seal);
        }
    }

    // ---- a majority of votes

    private void evaluate() {
        if (!isLive()) {
            return;
        }
        Moment now = quorum.timing().now();
        if (votes.count(0, now) >= quorum.majority()) {
            long fence = Math.max(floor, votes.largestFence(now));
            if (votes.count(fence, now) >= quorum.majority()) {
                win(votes.grant(fence, now));
                return;
            }
            floor = fence;
            phase = Phase.RAISING;
            requests.raise(fence, now);
        } else if (phase == Phase.RAISING) {
            phase = Phase.ASKING; // votes were lost meanwhile; the others may be wanted by earlier requests
            requests.stopRaising();
            for (NodeVote vote : votes.all()) {
                yieldIfAsked(vote);
            }
        }
        if (settings.waits()) {
            report.watchMajority(quorum.alarm(), executor, starved);
        }
        endIfHopeless();
    }

    private void win(Grant grant) {
        phase = Phase.WON;
        requests.stop();
        stopWaiting();
        listener.accept(new AttemptResult.Won(grant));
    }

    /** Yields this vote to an earlier request that waits behind it, as long as this attempt has no majority. */
    private void yieldIfAsked(NodeVote vote) {
        Ticket contender = vote.contender;
        if (phase != Phase.ASKING || vote.until == null || contender == null || !contender.isBefore(votes.ticket())) {
            return;
        }
        report.set(vote.node, report.words().of(vote.node, NodeReport.Kind.YIELDED, "to " + contender.client()));
        requests.yieldVote(vote);
    }

    // ---- pushes

    @Override
    public void granted(int node, OwnerId owner, long fence, @Nullable LockValue value) {
        executor.execute(() -> {
            boolean mine = phase != Phase.ENDED && votes.isOwner(node, owner);
            if (!mine) {
                quorum.releaseOrphan(node, settings.resource(), owner);
            } else if (isLive()) {
                requests.believe(votes.at(node), fence, value);
                evaluate();
            }
        });
    }

    @Override
    public void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
        executor.execute(() -> {
            if (isLive() && votes.isOwner(node, owner)) {
                NodeVote vote = votes.at(node);
                requests.believe(vote, fence, value);
                vote.contender = waiter;
                evaluate();
                yieldIfAsked(vote);
            } else if (phase == Phase.WON) { // the push was read before the lease took its pushes over
                quorum.passContended(this, node, owner, fence, waiter, value);
            }
        });
    }

    @Override
    public void clockMoved() {
        executor.execute(this::evaluate);
    }

    @Override
    public void available(int node) {
        executor.execute(() -> {
            NodeVote vote = votes.at(node);
            vote.keeps(null);
            if (isLive() && settings.waits() && vote.heard) {
                requests.ask(vote);
            }
        });
    }

    // ---- no majority

    private void endIfHopeless() {
        boolean idle = !isAnswerExpected();
        boolean mayEnd = settings.waits() ? deadlinePassed && hasHeardAll() && (idle || phase != Phase.RAISING) : idle;
        if (!isLive() || !mayEnd || retries.isSplitPending()) {
            return;
        }
        Refusal.Reason reason = reason();
        if (reason == Refusal.Reason.HELD
                && !settings.waits()
                && retries.splits() < RetrySchedule.MOST_SPLITS
                && isSplit()) {
            retryAfterSplit();
        } else {
            end(reason, null);
        }
    }

    /** Returns whether an answer is worth waiting for. After a split, one of a node that was silent for a whole node timeout is not. */
    private boolean isAnswerExpected() {
        return votes.any(vote -> vote.open > 0 && !(vote.silent && retries.splits() > 0));
    }

    /** Retries later, because several attempts that do not wait have split the votes. The first one to retry acquires the lock. */
    private void retryAfterSplit() {
        for (NodeVote vote : votes.all()) {
            if (vote.mayNeedRelease()) {
                requests.release(vote);
            }
        }
        retries.afterSplit(() -> {
            if (isLive()) {
                requests.askAll();
                evaluate(); // perhaps no node counts any more, and then no answer comes
            }
        });
    }

    private Refusal.Reason reason() {
        return report.answering() >= quorum.majority() ? Refusal.Reason.HELD : Refusal.Reason.NO_QUORUM;
    }

    /** Returns whether the nodes that denied their votes name several holders, none of which has a majority, and no request is queued. */
    private boolean isSplit() {
        Map<String, Integer> holders = new HashMap<>();
        for (NodeVote vote : votes.all()) {
            if (report.is(vote.node, NodeReport.Kind.HELD)) {
                if (vote.blocker == null) {
                    return false;
                }
                String owner = vote.blocker.owner();
                holders.merge(OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner), 1, Integer::sum);
            }
        }
        return holders.values().stream().allMatch(count -> count < quorum.majority());
    }

    private void end(Refusal.Reason reason, @Nullable Seal seal) {
        if (!isLive()) {
            return;
        }
        phase = Phase.ENDED;
        stopWaiting();
        quorum.unregister(votes.attempt());
        requests.end();
        listener.accept(new AttemptResult.Refused(report.refusal(reason, seal == null ? null : seal.sealedWork())));
    }

    private void stopWaiting() {
        retries.stop();
        report.stop();
    }

    /** Returns why a caller that gives up now has no lease, while the attempt goes on for others. Must run on the serial executor. */
    public Refusal refusal() {
        return report.refusal(reason(), null);
    }
}
