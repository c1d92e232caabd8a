package dev.holdfast.internal.quorum;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one attempt knows of one node. Accessed only on the attempt's serial executor. */
final class NodeView {

    /** A vote as the client sees it: its fence, and until when it lasts counted from when it was asked for. */
    record KnownVote(long fence, Deadline until) {}

    private final Quorum quorum;
    final int node;

    /** The server that the last request was sent to; null if the node had not identified it. */
    Quorum.@Nullable Server asked;

    /** The server that gave the vote: the one asked last, since only its answers count. */
    private Quorum.@Nullable Server voter;

    /** What it said last, if there is more to say of it than that it has not been asked. */
    @Nullable
    NodeReport report;

    @Nullable
    KnownVote vote;

    /** The lock's value, as this vote was told with it. */
    @Nullable
    LockValue value;

    /** Who keeps the node from giving its vote, if it said so last. */
    @Nullable
    Blocker blocker;

    /** The earliest waiter that this vote is known to hold up. */
    @Nullable
    Ticket contender;

    /** When the last request that was answered QUEUED was sent, or the first of this round: a grant from the queue is not older. */
    @Nullable
    Moment queuedSince;

    /** The largest fence of a QUEUED answer: a push that bears no more is stale. */
    long seenFence = -1;

    /** The floor that this vote was last asked to bear. */
    long raisedTo;

    /** Whether the node is known to have had a vote or an entry of this round, which may be there still. */
    boolean touched;

    /** Whether the node has said that the resource is sealed. */
    boolean sealed;

    /** Whether the node has answered, or timed out, at least once. */
    boolean heard;

    /** How many of its requests have neither been answered nor timed out. */
    int open;

    /** Whether its last word is a timeout. */
    boolean silent;

    /** How often in a row asking again has not helped, where polling is all there is. */
    int polls;

    /** When to ask again, on the monotonic clock. */
    long askAtNanos;

    NodeView(Quorum quorum, int node) {
        this.quorum = quorum;
        this.node = node;
    }

    /** Whether the node has a vote that counts: one of a server that has moved to another node's name may be there twice. */
    boolean hasVote(long driftNanos, Moment now) {
        return vote != null && vote.until().remainingNanos(now) > driftNanos && quorum.counts(node, voter);
    }

    long voteFence() {
        return Objects.requireNonNull(vote).fence();
    }

    Deadline voteUntil() {
        return Objects.requireNonNull(vote).until();
    }

    /** The node granted, as an answer or by a push. */
    void granted(long fence, @Nullable LockValue told, Deadline until, Moment now) {
        value = LockValue.later(told, value);
        voter = asked;
        KnownVote old = vote;
        vote = old == null || old.until().isPast(now)
                ? new KnownVote(fence, until)
                : new KnownVote(Math.max(fence, old.fence()), old.until().later(until, now));
        touched = true;
        polls = 0;
    }

    /** The node said QUEUED to a request sent then; a vote that is no newer than that answer is gone. */
    void queued(long fence, Moment sent, Moment now) {
        if (vote != null && (vote.fence() <= fence || vote.until().isPast(now))) {
            vote = null;
        }
        touched = true;
        seenFence = Math.max(seenFence, fence);
        if (queuedSince == null || queuedSince.nanosUntil(sent) > 0) {
            queuedSince = sent;
        }
    }

    /** The vote is gone, given back or refused; the node is asked under a new name from now on. */
    void forget() {
        vote = null;
        value = null;
        contender = null;
        queuedSince = null;
        raisedTo = 0;
        touched = false;
    }
}
