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

    private int unanswered; // requests that may be under way, or carried out without this client knowing
    private int carriedOut; // requests that may have been carried out
    private int doubtful; // requests that timed out or ended unknown
    private int roundsReleased; // rounds that the node has answered the release of

    // ---- the vote, as far as the client knows

    /** The end of the vote, counted from when it was requested; null if no vote of the node is known. */
    @Nullable
    Deadline until;

    /** The fence that the vote bears. */
    long fence;

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

    /** The time at which the last request that was answered QUEUED was sent, or the first of this round. A grant from the queue is not older. */
    @Nullable
    Moment queuedSince;

    /** The largest fence of a QUEUED answer. A push that bears no more is stale. */
    long seenFence = -1;

    /** The floor that this vote was last asked to bear. */
    long raisedTo;

    /** Whether the node has had a vote or a queue entry of this round, which may still be there. */
    boolean touched;

    /** The seal that the node has returned, as it was when the answer came; null if it has returned none. */
    @Nullable
    Seal seal;

    // ---- the attempt's requests

    /** The server that the last request was sent to; null if the node had not identified it. */
    @Nullable
    ServerIdentity asked;

    /** The server that granted the vote: the one asked last, since only its answers count. */
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

    /** Names later votes differently, so that a late answer for the released vote is recognisable. */
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

    /** Notes that a request is about to be sent. It is always answered, if only by "not sent". */
    void requested() {
        unanswered++;
        carriedOut++;
    }

    /**
     * Notes the answer to a request of that round. An answer that leaves open whether the request was carried out ends nothing.
     *
     * @param ended whether the attempt or its lease has been released at all nodes
     * @return whether the release of that round, which was sent meanwhile, has overtaken the request, or may have
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
     * Returns whether a request may arrive after the release: one that has ended unknown, or takes too long. A request that is under way as usual cannot: a
     * node carries out the requests of one connection in order, and if the connection ends, the request ends unknown.
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

    /** Returns whether the node has a vote that counts: that of a server that has moved to another node's name may be there twice. */
    boolean counts(long driftNanos, Moment now) {
        return until != null && until.remainingNanos(now) > driftNanos && nodes.counts(node, voter);
    }

    /** Returns whether a vote is known that has not expired, whether it counts or not. */
    boolean isKnown(Moment now) {
        return until != null && !until.isPast(now);
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

    /** Notes the answer QUEUED to a request that was sent then. The node no longer holds a vote that is not newer than that answer. */
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

    /** Returns whether the node may lack this value: the client does not know that it keeps this one or a later one. */
    boolean lacks(LockValue wanted) {
        return wanted.isLaterThan(kept);
    }
}
