package dev.holdfast.node;

import dev.holdfast.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a node keeps of one resource (PROTOCOL §3): votes, queue, fence, value, the buried and the seal. All expire. */
final class LockRecord {

    final String resource;
    private final TreeMap<String, Vote> votes = new TreeMap<>();
    private final TreeMap<OwnerId, Waiter> queue =
            new TreeMap<>(Comparator.comparing(OwnerId::ticket).thenComparing(OwnerId::toString));
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
        votes.values().removeIf(vote -> vote.expiryMillis <= now);
        queue.values().removeIf(waiter -> waiter.expiryMillis <= now);
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
        return votes.get(owner.toString());
    }

    void add(Vote vote) {
        votes.put(vote.owner.toString(), vote);
    }

    boolean removeVote(OwnerId owner) {
        return votes.remove(owner.toString()) != null;
    }

    /** When the last vote ends, 0 if there is none. */
    long lastVoteMillis() {
        return votes.values().stream()
                .mapToLong(vote -> vote.expiryMillis)
                .max()
                .orElse(0);
    }

    List<Vote> conflicts(OwnerId owner, LockMode mode) {
        List<Vote> conflicts = new ArrayList<>();
        for (Vote vote : votes.values()) {
            if (mode.conflictsWith(vote.mode) && !vote.owner.equals(owner)) {
                conflicts.add(vote);
            }
        }
        return conflicts;
    }

    /** The time until the first vote of others that bears a token ends; 0 if there is none. */
    long remainingMillis(OwnerId except, long now) {
        long soonest = Long.MAX_VALUE;
        for (Vote vote : votes.values()) {
            if (vote.mode.bearsToken() && !vote.owner.equals(except)) {
                soonest = Math.min(soonest, vote.expiryMillis - now);
            }
        }
        return soonest == Long.MAX_VALUE ? 0 : soonest;
    }

    @Nullable
    Blocker blocker(List<Vote> conflicts, long now) {
        if (conflicts.isEmpty()) {
            return null;
        }
        Vote first = conflicts.get(0);
        return new Blocker(Blocker.Kind.HOLDFAST, first.owner.toString(), first.expiryMillis - now);
    }

    Denied denied(List<Vote> conflicts, Denied.Reason reason, AcquireRequest request, long now) {
        return new Denied(
                remainingMillis(request.owner(), now),
                reason,
                blocker(conflicts, now),
                latestTicketTime(),
                longestTtlMillis(request));
    }

    // ---- the longest ttl

    /** The longest ttl that is remembered, if it is longer than the request's; else 0. */
    long longestTtlMillis(AcquireRequest request) {
        return longestTtlMillis > request.ttlMillis() ? longestTtlMillis : 0;
    }

    /** Remembers this ttl for the retention if no longer one is known, and that of an equal one again once half of its time is over. */
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

    /** The ticket of the earliest waiter that this vote holds up. */
    @Nullable
    Ticket firstWaiterBehind(Vote vote) {
        for (Waiter waiter : queue.values()) {
            if (waiter.request.mode().conflictsWith(vote.mode)) {
                return waiter.request.owner().ticket();
            }
        }
        return null;
    }

    void enqueue(Waiter waiter) {
        queue.put(waiter.request.owner(), waiter);
    }

    void removeWaiter(OwnerId owner) {
        queue.remove(owner);
    }

    int place(OwnerId owner) {
        return queue.headMap(owner, true).size();
    }

    /** The latest ticket time of all that hold or wait. */
    long latestTicketTime() {
        long latest = queue.isEmpty() ? 0 : queue.lastKey().attempt();
        for (Vote vote : votes.values()) {
            latest = Math.max(latest, vote.owner.attempt());
        }
        return latest;
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
        List<ResourceState.Holder> holders = votes.values().stream()
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
