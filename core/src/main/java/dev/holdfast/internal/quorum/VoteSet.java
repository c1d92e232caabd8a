package dev.holdfast.internal.quorum;

import dev.holdfast.internal.node.FanOut;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The votes of one attempt, and then of the lease that it becomes: the owner id that names them, one {@link NodeVote} for each node, and the seal that a node
 * has reported. Accessed only on their serial executor, except for what never changes.
 *
 * <p>Its knowledge of values and seals may be incomplete, which costs a few bytes. It must drop its knowledge of a node that may have restarted.
 */
public final class VoteSet {

    final Quorum quorum;
    final SerialExecutor executor;
    final AttemptSettings settings;
    private final OwnerId first;
    final NodeVote[] all; // in the order of the nodes; not to be changed
    private final long driftNanos;
    long longestTtlMillis; // of any request for a vote
    boolean ended; // everything is released, and no further requests for votes follow
    private boolean shared;
    private volatile @Nullable PushTarget target;
    private @Nullable Seal seal;
    private @Nullable Moment sealAsked;

    /** Creates the votes of this owner, of which none is known yet. */
    public VoteSet(Quorum quorum, SerialExecutor executor, AttemptSettings settings, OwnerId first) {
        this.quorum = quorum;
        this.executor = executor;
        this.settings = settings;
        this.first = first;
        this.driftNanos = Validity.driftNanos(settings.ttlNanos());
        this.all = new NodeVote[quorum.nodes().size()];
        for (int node = 0; node < all.length; node++) {
            all[node] = new NodeVote(quorum.nodes(), node);
        }
    }

    public AttemptSettings settings() {
        return settings;
    }

    boolean any(Predicate<NodeVote> condition) {
        return Arrays.stream(all).anyMatch(condition);
    }

    // ---- the owner id

    /** Returns the owner id of the first round, under which people see the attempt. */
    public OwnerId owner() {
        return first;
    }

    OwnerId owner(int round) {
        return round == 0 ? first : first.inRound(first.round() + round);
    }

    /** Returns whether this is the attempt's owner id at that node, in the latest round. */
    private boolean isOwner(int node, OwnerId owner) {
        return owner.attempt() == first.attempt()
                && owner.round() - first.round() == all[node].round
                && owner.client().equals(first.client());
    }

    // ---- votes that several clients use

    /** Returns the number of the round at each node, in which the lease has its vote there, or may still get it. */
    public List<Integer> rounds() {
        return Arrays.stream(all).map(vote -> vote.round).toList();
    }

    /** Continues the votes that another client has acquired in these rounds, in the order of the nodes. */
    public void adopt(List<Integer> rounds) {
        for (NodeVote vote : all) {
            vote.round = rounds.get(vote.node);
        }
        longestTtlMillis = settings.ttlMillis();
        share();
    }

    /** Lets other clients adopt the lease. Their requests are unknown here, so a release leaves tombstones from now on. */
    public void share() {
        shared = true;
    }

    /** Returns whether other clients may extend or release the lease. */
    public boolean isShared() {
        return shared;
    }

    // ---- requests

    /** Sends these requests, each of which may take the node timeout. */
    void send(NodeOperation operation, List<? extends FanOut.Request<?>> requests) {
        FanOut.send(quorum.nodes(), executor, settings.nodeTimeoutNanos(), operation, requests);
    }

    /** Notes that a request for a vote with this ttl is about to be sent. */
    void requested(NodeVote vote, long ttlMillis) {
        longestTtlMillis = Math.max(longestTtlMillis, ttlMillis);
        vote.requested();
    }

    /** Notes the answer to a request of that round, and releases a vote that the release of its round may have missed. */
    void answered(NodeVote vote, int round, AcquireAnswer answer) {
        if (vote.answered(round, answer, ended)) {
            Release.behind(this, vote, round);
        }
        quorum.owners.observe(answer.latestTicketTime());
    }

    // ---- pushes

    /** Passes pushes about these votes to this target from now on. */
    public void register(PushTarget next) {
        target = next;
        quorum.attempts.put(first.ticket(), this);
    }

    /** Ends the pushes: votes that nodes push from now on are released. */
    public void unregister() {
        quorum.attempts.remove(first.ticket(), this); // unless this client has adopted the lease since
    }

    /**
     * Passes a push to the target; runs on any thread. Releases a vote of an earlier round, and one that arrives after the release, unless the release was of
     * the same vote: a node may report a vote by CONTENDED before GRANTED.
     */
    void pushed(int node, Push push) {
        executor.execute(() -> {
            boolean isPresent = isOwner(node, push.owner());
            if (!ended && isPresent) {
                all[node].pushedFence = push.fence();
                target().pushed(node, push);
            } else if (push instanceof Push.Granted && !(isPresent && push.fence() <= all[node].pushedFence)) {
                quorum.releaseOrphan(node, settings.resource(), push.owner());
            }
        });
    }

    /**
     * Handles a new connection to a node; runs on any thread. The node may have lost its state. The next extension heals the node, and carries the value again.
     */
    void available(int node) {
        executor.execute(() -> {
            keeps(node, null);
            target().available(node);
        });
    }

    /** Handles this client's clocks being put forward; runs on any thread. */
    void clockMoved() {
        executor.execute(() -> target().clockMoved());
    }

    private PushTarget target() {
        return Objects.requireNonNull(target, "no target is registered");
    }

    // ---- the majority

    /** Returns how many of the votes that count bear at least this fence. */
    int count(long fence, Moment now) {
        int count = 0;
        for (NodeVote vote : all) {
            count += vote.counts(driftNanos, now) && vote.fence >= fence ? 1 : 0;
        }
        return count;
    }

    /** Returns the largest fence of the votes that count; 0 if there is none. */
    long largestFence(Moment now) {
        long largest = 0;
        for (NodeVote vote : all) {
            largest = vote.counts(driftNanos, now) ? Math.max(largest, vote.fence) : largest;
        }
        return largest;
    }

    /** Returns whether a vote counts, but bears less than this fence and has not been asked to bear it. */
    boolean needsRaise(NodeVote vote, long fence, Moment now) {
        return vote.counts(driftNanos, now) && vote.fence < fence && vote.raisedTo < fence;
    }

    /** Returns the grant for a lease, once a majority of votes bears this fence. */
    Grant grant(long fence, Moment now) {
        List<Deadline> ends = new ArrayList<>(all.length);
        boolean isShort = false;
        LockValue value = null;
        for (NodeVote vote : all) {
            Deadline until = vote.until;
            if (until != null && vote.counts(driftNanos, now)) {
                value = LockValue.later(vote.value, value);
                if (vote.fence == fence) {
                    ends.add(until);
                    isShort |= until.lengthNanos() < settings.ttlNanos();
                }
            }
        }
        Deadline validity = Validity.of(ends, quorum.majority(), driftNanos, now);
        return new Grant(this, fence, validity, isShort, value, now);
    }

    /** Returns the earliest request that is known to wait behind these votes; null if there is none. */
    public @Nullable Ticket contender() {
        Ticket first = null;
        for (NodeVote vote : all) {
            Ticket waiter = vote.contender;
            first = waiter != null && (first == null || waiter.compareTo(first) < 0) ? waiter : first;
        }
        return first;
    }

    // ---- the lock's value and seal

    /** Notes the value that the node keeps; null if it keeps none, or may have lost it. */
    public void keeps(int node, @Nullable LockValue value) {
        all[node].kept = value;
    }

    /** Notes a seal from a node's answer to a request that was sent at that moment. The first seal stays. */
    void sealed(Seal reported, Moment asked) {
        if (seal == null) {
            seal = reported;
            sealAsked = asked;
        }
    }

    /** Returns the seal that a node has returned, as it stands at that moment; null if there is none, or if it has ended. */
    @Nullable
    Seal seal(Moment now) {
        return seal == null || sealAsked == null ? null : seal.at(sealAsked, now);
    }
}
