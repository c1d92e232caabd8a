package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.internal.node.ServerIdentity;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One node's vote for an attempt, and the conversation about it: the round that names the vote there, the requests that may still be carried out, and the
 * node's answers. The lease continues with the votes of its attempt. Accessed only on their serial executor.
 */
final class NodeVote {

    final int node;
    private final NodeSet nodes;

    // ---- the conversation of this round

    /** The number of the round, counted from the first one of the attempt. */
    int round;

    private int unanswered; // requests that may be under way, or whose result is unknown
    private int carriedOut; // requests that the node may have carried out
    private int doubtful; // requests that timed out or ended with an unknown result
    private int roundsReleased; // rounds whose release the node has answered

    // ---- the vote, as far as the client knows

    /** The end of the vote, counted from when it was requested; null if no vote of the node is known. */
    @Nullable
    Deadline until;

    /** The fence that the vote bears. */
    long fence;

    /** The fence of the vote that the node pushed last. */
    long pushedFence;

    /** The lock's value, as the node returned it with this vote. */
    @Nullable
    LockValue value;

    /** The value that the node is known to keep; null if it keeps none, or may have lost it. */
    @Nullable
    LockValue kept;

    /** The earliest waiter that is known to wait behind this vote. */
    @Nullable
    Ticket contender;

    /** The request that keeps the node from granting its vote, if the node's last answer names one. */
    @Nullable
    Blocker blocker;

    /** When the client sent the last request that was answered QUEUED, or the first one of this round. No grant from the queue is older. */
    @Nullable
    Moment queuedSince;

    /** The largest fence of a QUEUED answer. A push with no larger fence proves no vote. */
    long seenFence = -1;

    /** The floor of the last request to raise this vote. */
    long raisedTo;

    /** Whether the node has had a vote or a queue entry of this round, which may still be there. */
    boolean touched;

    /** The seal that the node has returned, as it stood when the answer arrived; null if the node has returned none. */
    @Nullable
    Seal seal;

    // ---- the attempt's requests

    /** The server that the last request was sent to; null if the node had not identified it. */
    @Nullable
    ServerIdentity asked;

    /** The server that granted the vote: the one that received the last request, since only its answers count. */
    private @Nullable ServerIdentity voter;

    /** Whether the node has answered, or timed out, at least once. */
    boolean heard;

    /** Whether the last request timed out. */
    boolean silent;

    /** The number of the attempt's requests that have neither been answered nor timed out. */
    int open;

    /** The number of successive retries without success, where polling is the only way. */
    int polls;

    /** The time of the next retry, on the monotonic clock. */
    long retryAtNanos;

    NodeVote(NodeSet nodes, int node) {
        this.nodes = nodes;
        this.node = node;
    }

    // ---- the conversation

    /** Begins a round with another name for later votes, so that a late answer about the released vote is recognisable. */
    void nextRound() {
        round++;
        unanswered = 0;
        carriedOut = 0;
        doubtful = 0;
        until = null;
        value = null;
        contender = null;
        queuedSince = null;
        raisedTo = 0;
        touched = false;
    }

    /** Notes that a request is about to be sent. Every request gets an answer, if only "not sent". */
    void requested() {
        unanswered++;
        carriedOut++;
    }

    /**
     * Notes the answer to a request of that round. An answer that leaves open whether the request was carried out does not end the request.
     *
     * @param ended whether the attempt or its lease has been released at all nodes
     * @return whether the release of that round, which was sent after the request, has or may have overtaken it
     */
    boolean answered(int requestRound, AcquireAnswer answer, boolean ended) {
        boolean unknown = answer instanceof Unavailable unavailable && unavailable.maybeExecuted();
        boolean leavesVote = answer instanceof AcquireAnswer.Granted || answer instanceof AcquireAnswer.Queued;
        if (roundsReleased > requestRound && leavesVote) {
            return true;
        }
        if (round != requestRound) {
            return unknown;
        }
        if (unknown) {
            doubtful++;
            return ended;
        }
        unanswered--;
        if (answer instanceof Unavailable || answer instanceof AcquireAnswer.Quarantined) {
            carriedOut--;
        }
        return false;
    }

    /** Notes that a request of that round was not answered in time. */
    void timedOut(int requestRound) {
        if (round == requestRound) {
            doubtful++;
        }
    }

    /** Notes that the node has answered the release of that round. A vote that it grants to the round later must be released again. */
    void released(int releasedRound) {
        roundsReleased = Math.max(roundsReleased, releasedRound + 1);
    }

    /**
     * Returns whether a request may arrive after the release: one with an unknown result, or one that takes too long. An ordinary request that is under way
     * cannot: a node carries out the requests of one connection in order, and if the connection ends, the request's result is unknown.
     */
    boolean mayArriveLate() {
        return unanswered > 0 && doubtful > 0;
    }

    /** Returns whether the node may know this round at all. */
    boolean mayBeKnown() {
        return carriedOut > 0;
    }

    /** Returns whether the node may have a vote or a queue entry of the attempt that must be released. */
    boolean mayNeedRelease() {
        return touched || unanswered > 0;
    }

    // ---- the vote

    /** Returns whether the node has a vote that counts. The vote of a server that now stands behind another node's name does not: it might count twice. */
    boolean counts(long driftNanos, Moment now) {
        return until != null && until.remainingNanos(now) > driftNanos && nodes.counts(node, voter);
    }

    /** Notes a vote that the node has granted, in an answer or a push. */
    void granted(long grantedFence, @Nullable LockValue grantedValue, Deadline end, Moment now) {
        Deadline known = until;
        if (known == null || known.isPast(now)) {
            fence = grantedFence;
            until = end;
        } else {
            fence = Math.max(grantedFence, fence);
            until = known.later(end, now);
        }
        value = LockValue.later(grantedValue, value);
        voter = asked;
        touched = true;
        polls = 0;
    }

    /** Notes the answer QUEUED to a request that was sent at that moment. The node no longer holds a vote, unless that vote is newer than the answer. */
    void queued(long queuedFence, Moment sent, Moment now) {
        if (until != null && (fence <= queuedFence || until.isPast(now))) {
            until = null;
        }
        touched = true;
        seenFence = Math.max(seenFence, queuedFence);
        if (queuedSince == null || queuedSince.nanosUntil(sent) > 0) {
            queuedSince = sent;
        }
    }

    // ---- the lock's value

    /** Returns whether the node may lack this value: true unless the client knows that the node keeps this value or a later one. */
    boolean lacks(LockValue wanted) {
        return wanted.isLaterThan(kept);
    }
}
