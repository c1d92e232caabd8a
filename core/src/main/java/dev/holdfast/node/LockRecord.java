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

/** The state of one resource at a node (PROTOCOL §3): votes, queue, fence, value, tombstones and the seal. All of them expire. */
final class LockRecord {

    final String resource;
    /** The number of waiters at the head of the queue that are searched for one that a vote blocks. A waiter further down waits for many others first. */
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
    private @Nullable LockValue value; // kept as long as the fence
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

    /** Returns the time at which the last vote ends, 0 if there is none. */
    long lastVoteMillis() {
        return votes.lastExpiryMillis();
    }

    /** Returns whether a vote of another owner conflicts with this mode. */
    boolean isBlocked(OwnerId owner, LockMode mode) {
        return votes.firstConflict(owner, mode) != null;
    }

    /** Returns the votes whose owners the node notifies of a new waiter: in each mode, the votes with the latest tickets, at most a hundred. */
    List<Vote> latestConflicts(OwnerId owner, LockMode mode) {
        return votes.latestConflicts(owner, mode);
    }

    /** Returns how soon the first of the other owners' votes with a token ends; 0 if there is none. */
    long remainingMillis(OwnerId except, long now) {
        return votes.remainingMillis(except, now);
    }

    /** Returns the conflicting vote of another owner with the earliest ticket, which is the same at every node. */
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

    /** Returns the longest remembered ttl if it is longer than the request's; else 0. */
    long longestTtlMillis(AcquireRequest request) {
        return longestTtlMillis > request.ttlMillis() ? longestTtlMillis : 0;
    }

    /** Remembers the longest ttl for the retention. A request with the same ttl renews the retention once half of it has passed. */
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

    /** Returns the ticket of the earliest waiter that this vote blocks, if the waiter is not far down the queue. */
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

    /** Returns the latest ticket time of all holders and waiters. */
    long latestTicketTime() {
        long latest = queue.isEmpty() ? 0 : queue.lastKey().attempt();
        return Math.max(latest, votes.latestTicketTime());
    }

    // ---- fence

    /**
     * Returns the fence that the next token must exceed. It is never below the base of this run, since the remembered fence may be older than tokens
     * that the node gave.
     */
    long fence(long now, long base) {
        return Math.max(remembered(now), base);
    }

    /** Returns the remembered fence; if there is none, the base of an absent fence, which follows from the node's time. */
    private long remembered(long now) {
        return fence != 0 ? fence : FenceFromTime.ofAbsent(now);
    }

    /**
     * Returns whether the node may recreate a vote with this fence. A node without a fence has lost it, or has not seen the lock for a long time. A
     * node whose fence is smaller than one that it gave has restarted. In both cases, the base of its next fence is above every fence that it gave.
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

    // ---- tombstones, the seal

    boolean isBuried(OwnerId owner) {
        return buried.containsKey(owner);
    }

    void bury(OwnerId owner, long untilMillis) {
        buried.put(owner, untilMillis);
    }

    boolean isSealed() {
        return sealExpiryMillis > 0;
    }

    /** Returns the seal of a sealed resource. */
    Seal seal(long now) {
        return new Seal(sealedBy, Math.max(now - sealedSinceMillis, 0), sealExpiryMillis - now);
    }

    /** Seals the resource. An earlier seal stays, and lasts at least as long as this one. */
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
