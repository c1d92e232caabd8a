package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a node keeps of one resource (PROTOCOL §3): votes, queue, fence, value, the buried and the seal. All expire. */
final class LockRecord {

    final String resource;
    /** A vote looks no further down the queue for a waiter that it holds up: one further down waits for many others first. */
    private static final int MOST_WAITERS_SEEN = 100;

    private final Votes votes = new Votes();
    private final TreeMap<OwnerId, Waiter> queue =
            new TreeMap<>(Comparator.comparing(OwnerId::ticket).thenComparing(OwnerId::toString));
    private final TreeSet<Waiter> waitersByExpiry =
            new TreeSet<>(Comparator.<Waiter>comparingLong(waiter -> waiter.expiryMillis)
                    .thenComparing(waiter -> waiter.request.owner().toString()));
    private final Map<OwnerId, Long> buried = new HashMap<>();
    private long fence;
    private long fenceExpiryMillis;
    private @Nullable LockValue value; // for as long as the fence
    private long longestTtlMillis; // of the votes that bore a token
    private long longestTtlExpiryMillis;
    private long sealExpiryMillis;
    private long sealedSinceMillis;
    private String sealedBy = "";

    LockRecord(String resource) {
        this.resource = resource;
    }

    void dropExpired(long now) {
        votes.dropExpired(now);
        while (!waitersByExpiry.isEmpty() && waitersByExpiry.first().expiryMillis <= now) {
            removeWaiter(waitersByExpiry.first().request.owner());
        }
        buried.values().removeIf(expiry -> expiry <= now);
        if (fenceExpiryMillis <= now) {
            fence = 0;
            value = null;
        }
        if (longestTtlExpiryMillis <= now) {
            longestTtlMillis = 0;
        }
        if (sealExpiryMillis <= now) {
            sealExpiryMillis = 0;
        }
    }

    boolean isEmpty() {
        return fence == 0 && longestTtlMillis == 0 && buried.isEmpty() && !isInUse();
    }

    boolean isInUse() {
        return !votes.isEmpty() || !queue.isEmpty() || isSealed();
    }

    // ---- votes

    @Nullable
    Vote vote(OwnerId owner) {
        return votes.of(owner);
    }

    void add(Vote vote) {
        votes.add(vote);
    }

    void prolong(Vote vote, long untilMillis) {
        votes.prolong(vote, untilMillis);
    }

    boolean removeVote(OwnerId owner) {
        return votes.remove(owner);
    }

    /** When the last vote ends, 0 if there is none. */
    long lastVoteMillis() {
        return votes.lastExpiryMillis();
    }

    /** Whether a vote of another owner conflicts with this mode. */
    boolean isBlocked(OwnerId owner, LockMode mode) {
        return votes.firstConflict(owner, mode) != null;
    }

    /** The votes whose owners a new waiter notifies: in each mode those with the latest tickets, at most a hundred. */
    List<Vote> latestConflicts(OwnerId owner, LockMode mode) {
        return votes.latestConflicts(owner, mode);
    }

    /** The time until the first vote of others that bears a token ends; 0 if there is none. */
    long remainingMillis(OwnerId except, long now) {
        return votes.remainingMillis(except, now);
    }

    /** The conflicting vote of another owner with the earliest ticket, the same at every node. */
    @Nullable
    Blocker blocker(OwnerId owner, LockMode mode, long now) {
        Vote first = votes.firstConflict(owner, mode);
        return first == null
                ? null
                : new Blocker(Blocker.Kind.HOLDFAST, first.owner.toString(), first.expiryMillis - now);
    }

    Denied denied(Denied.Reason reason, AcquireRequest request, long now) {
        return new Denied(
                remainingMillis(request.owner(), now),
                reason,
                blocker(request.owner(), request.mode(), now),
                latestTicketTime(),
                longestTtlMillis(request));
    }

    // ---- the longest ttl

    /** The longest ttl that is remembered, if it is longer than the request's; else 0. */
    long longestTtlMillis(AcquireRequest request) {
        return longestTtlMillis > request.ttlMillis() ? longestTtlMillis : 0;
    }

    /** Remembers the longest ttl for the retention. The same ttl renews the retention once half of it has passed. */
    void rememberTtl(long ttlMillis, long now, long retentionMillis) {
        boolean isFading = longestTtlMillis == ttlMillis && longestTtlExpiryMillis - now < retentionMillis / 2;
        if (longestTtlMillis < ttlMillis || isFading) {
            longestTtlMillis = ttlMillis;
            longestTtlExpiryMillis = now + retentionMillis;
        }
    }

    // ---- queue

    boolean hasWaiters() {
        return !queue.isEmpty();
    }

    boolean hasOtherWaiters(OwnerId owner) {
        return queue.size() > (queue.containsKey(owner) ? 1 : 0);
    }

    boolean hasWaiterBefore(Ticket ticket) {
        return !queue.isEmpty() && queue.firstKey().ticket().isBefore(ticket);
    }

    Waiter firstWaiter() {
        return queue.firstEntry().getValue();
    }

    /** The ticket of the earliest waiter that this vote holds up, if it is not far down the queue. */
    @Nullable
    Ticket firstWaiterBehind(Vote vote) {
        int seen = 0;
        for (Waiter waiter : queue.values()) {
            if (++seen > MOST_WAITERS_SEEN) {
                return null;
            }
            if (waiter.request.mode().conflictsWith(vote.mode)) {
                return waiter.request.owner().ticket();
            }
        }
        return null;
    }

    void enqueue(Waiter waiter) {
        removeWaiter(waiter.request.owner());
        queue.put(waiter.request.owner(), waiter);
        waitersByExpiry.add(waiter);
    }

    void removeWaiter(OwnerId owner) {
        Waiter gone = queue.remove(owner);
        if (gone != null) {
            waitersByExpiry.remove(gone);
        }
    }

    int place(OwnerId owner) {
        return queue.headMap(owner, true).size();
    }

    /** The latest ticket time of all that hold or wait. */
    long latestTicketTime() {
        long latest = queue.isEmpty() ? 0 : queue.lastKey().attempt();
        return Math.max(latest, votes.latestTicketTime());
    }

    // ---- fence

    /** What the next token is above: never below the base of this run, since what is remembered may be older than what was given. */
    long fence(long now, long base) {
        return Math.max(remembered(now), base);
    }

    /** The fence as far as it is remembered, or what an absent one is based on: the node's time. */
    private long remembered(long now) {
        return fence != 0 ? fence : FenceFromTime.ofAbsent(now);
    }

    /**
     * A node that remembers no fence has lost it, or has not seen the lock for long, and one that remembers less than it gave has restarted:
     * what it bases anew is above all it gave.
     */
    boolean mayHeal(long floor) {
        return fence <= floor;
    }

    void raiseFence(long floor, long now) {
        fence = Math.max(remembered(now), floor);
    }

    void keepFence(long untilMillis) {
        fenceExpiryMillis = untilMillis;
    }

    // ---- the value

    @Nullable
    LockValue value() {
        return value;
    }

    void write(LockValue later) {
        if (later.isLaterThan(value)) {
            value = later;
        }
    }

    // ---- the buried, the seal

    boolean isBuried(OwnerId owner) {
        return buried.containsKey(owner);
    }

    void bury(OwnerId owner, long untilMillis) {
        buried.put(owner, untilMillis);
    }

    boolean isSealed() {
        return sealExpiryMillis > 0;
    }

    /** Of a resource that is sealed. */
    Seal seal(long now) {
        return new Seal(sealedBy, Math.max(now - sealedSinceMillis, 0), sealExpiryMillis - now);
    }

    /** The first one stays. */
    void seal(Seal seal, long now) {
        if (!isSealed()) {
            sealedBy = seal.by();
            sealedSinceMillis = now - seal.agoMillis();
        }
        sealExpiryMillis = Math.max(sealExpiryMillis, now + seal.remainingMillis());
    }

    ResourceState state(long now) {
        List<ResourceState.Holder> holders = votes.all().stream()
                .map(vote -> new ResourceState.Holder(
                        Blocker.Kind.HOLDFAST, vote.owner.toString(), vote.mode, vote.fence, vote.expiryMillis - now))
                .toList();
        List<ResourceState.Waiter> waiters = queue.values().stream()
                .map(waiter -> new ResourceState.Waiter(
                        waiter.request.owner().toString(), waiter.request.mode(), waiter.expiryMillis - now))
                .toList();
        return new ResourceState(resource, fence, holders, waiters, isSealed() ? seal(now) : null, value);
    }
}
