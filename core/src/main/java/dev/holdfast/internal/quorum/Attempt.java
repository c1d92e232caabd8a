package dev.holdfast.internal.quorum;

import dev.holdfast.internal.report.AttemptReport;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
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
 * <p>The attempt asks for votes until it has a majority of them, and raises the lower ones if they bear different fences. It ends once a lease is made, or
 * every vote is released. All steps run on one serial executor.
 */
public final class Attempt implements PushTarget {

    /** A listener that is notified on the attempt's serial executor, by a node's thread or a timer's. It must be short and must not block. */
    public interface Listener {

        /** Handles the result, once: a majority of votes bears one fence. The attempt receives pushes until the lease registers in its place. */
        void won(Grant grant);

        /** Handles the result, once: the attempt has no lease, and is releasing every vote that it was granted. */
        void refused(Refusal refusal);

        /** Handles a silence, perhaps more than once: no majority of nodes has answered for the client's noQuorumTimeout. */
        void starved();
    }

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final Listener listener;
    private final VoteSet votes;
    private final AttemptReport report;
    private final RetrySchedule retries;
    private final VoteRequests requests;

    private boolean deadlinePassed;
    private long floor; // the largest fence to which a majority was to be raised

    private Attempt(VoteSet votes, Listener listener) {
        this.quorum = votes.quorum;
        this.settings = votes.settings;
        this.listener = listener;
        this.votes = votes;
        this.report = new AttemptReport(settings.name(), votes.owner(), quorum.reports, quorum.alarm);
        this.retries = new RetrySchedule(votes, this::retryDue);
        this.requests = new VoteRequests(votes, retries, report, this::heard);
    }

    /**
     * Starts an attempt; returns before the nodes answer.
     *
     * @param label the name of its owner for people; empty for none
     * @param executor where all its steps run
     */
    public static Attempt start(
            Quorum quorum, AttemptSettings settings, String label, SerialExecutor executor, Listener listener) {
        Attempt attempt = new Attempt(new VoteSet(quorum, executor, settings, quorum.owners.next(label)), listener);
        attempt.votes.register(attempt);
        executor.execute(() -> attempt.requests.ask(vote -> true));
        return attempt;
    }

    /** Ends the attempt and releases every vote; has no effect once there is a result. */
    public void cancel(Refusal.Reason reason) {
        votes.executor.execute(() -> end(reason, null));
    }

    /** Notifies this observer from now on, on the serial executor, of each state of the wait. Must run on the serial executor. */
    public void observe(Consumer<Waiting> observer) {
        if (settings.waits()) {
            report.reportTo(observer);
        }
    }

    /** Ends the wait, but not before the first round of answers, which takes one node timeout at most. Must run on the serial executor. */
    public void expire() {
        if (requests.isLive()) {
            deadlinePassed = true;
            retries.stop();
            evaluate();
        }
    }

    /** Returns whether every node has answered, or timed out, at least once. Must run on the serial executor. */
    public boolean hasHeardAll() {
        return !votes.any(vote -> !vote.heard);
    }

    private void retryDue() {
        long now = quorum.timing().ticker().nanos();
        requests.ask(vote -> vote.retryAtNanos - now <= 0);
        evaluate(); // votes may have expired; and if no node counts any more, no answer will follow
    }

    /** Handles an answer or a timeout. One SEALED answer proves that the work was done, so all other nodes are sealed too. */
    private void heard(NodeVote vote) {
        if (vote.seal != null) {
            end(Refusal.Reason.SEALED, vote.seal);
        }
        evaluate();
        yieldIfAsked(vote);
    }

    // ---- a majority of votes

    private void evaluate() {
        if (!requests.isLive()) {
            return;
        }
        Moment now = quorum.timing().now();
        if (votes.count(0, now) >= quorum.majority()) {
            floor = Math.max(floor, votes.largestFence(now));
            if (votes.count(floor, now) >= quorum.majority()) {
                requests.stop();
                listener.won(votes.grant(floor, now));
                return;
            }
            requests.raise(floor, now);
        } else if (!requests.isAsking()) {
            requests.stopRaising(); // votes were lost; earlier requests may wait for the remaining ones
            for (NodeVote vote : votes.all) {
                yieldIfAsked(vote);
            }
        }
        if (settings.waits()) {
            report.watchMajority(votes.executor, listener::starved);
        }
        endIfHopeless();
    }

    /** Yields this vote to an earlier request that waits behind it, as long as this attempt has no majority. */
    private void yieldIfAsked(NodeVote vote) {
        Ticket contender = vote.contender;
        if (requests.isAsking()
                && vote.until != null
                && contender != null
                && contender.compareTo(votes.owner().ticket()) < 0) {
            report.set(vote.node, NodeReport.Kind.YIELDED, "to " + contender.client());
            requests.yieldVote(vote);
        }
    }

    // ---- pushes

    @Override
    public void pushed(int node, Push push) {
        if (requests.isLive()) {
            NodeVote vote = votes.all[node];
            requests.believe(vote, push);
            if (push instanceof Push.Contended contended) {
                vote.contender = contended.waiter();
            }
            evaluate();
            yieldIfAsked(vote);
        }
    }

    @Override
    public void clockMoved() {
        evaluate();
    }

    @Override
    public void available(int node) {
        NodeVote vote = votes.all[node];
        if (requests.isLive() && settings.waits() && vote.heard) {
            requests.ask(one -> one == vote);
        }
    }

    // ---- no majority

    private void endIfHopeless() {
        boolean idle = !isAnswerExpected();
        boolean mayEnd = settings.waits() ? deadlinePassed && hasHeardAll() && (idle || requests.isAsking()) : idle;
        if (!requests.isLive() || !mayEnd || retries.isSplitPending()) {
            return;
        }
        Refusal.Reason reason = reason();
        if (reason == Refusal.Reason.HELD
                && !settings.waits()
                && retries.splits < RetrySchedule.MOST_SPLITS
                && isSplit()) {
            retryAfterSplit();
        } else {
            end(reason, null);
        }
    }

    /** Returns whether an answer is worth waiting for. After a split, the answer of a node that was silent for a whole node timeout is not. */
    private boolean isAnswerExpected() {
        return votes.any(vote -> vote.open > 0 && !(vote.silent && retries.splits > 0));
    }

    /** Retries later, because several attempts that do not wait have split the votes. The first one to retry acquires the lock. */
    private void retryAfterSplit() {
        for (NodeVote vote : votes.all) {
            if (vote.mayNeedRelease()) {
                requests.release(vote);
            }
        }
        retries.retryAfterSplit();
    }

    private Refusal.Reason reason() {
        return report.lacksMajority() ? Refusal.Reason.NO_QUORUM : Refusal.Reason.HELD;
    }

    /** Returns whether the nodes that denied their votes name several holders, none of which has a majority, and no request is queued. */
    private boolean isSplit() {
        Map<String, Integer> holders = new HashMap<>();
        for (NodeVote vote : votes.all) {
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
        if (requests.isLive()) {
            votes.unregister();
            requests.end();
            listener.refused(report.refusal(reason, seal == null ? null : seal.sealedWork()));
        }
    }

    /** Returns why a caller that gives up now has no lease, while the attempt continues for other callers. Must run on the serial executor. */
    public Refusal refusal() {
        return report.refusal(reason(), null);
    }
}
