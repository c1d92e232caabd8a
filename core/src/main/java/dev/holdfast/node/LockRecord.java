package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of one resource at a node (PROTOCOL §3): votes, queue, fence, value, tombstones and the seal. All of them expire. */
final class LockRecord {

    final String resource;
    /** The number of waiters at the head of the queue that are searched for one that a vote blocks. A waiter further down waits for many others first. */
    private static final int MOST_WAITERS_SEEN = 100;

    final Votes votes = new Votes();
    final WaiterQueue queue = new WaiterQueue();
    /** The end of each tombstone. */
    private final TreeMap<OwnerId, Long> buried = new TreeMap<>(WaiterQueue.BY_TICKET);

    private long firstTombstoneEnds = Long.MAX_VALUE;
    private long fence;
    private long fenceExpiryMillis;

    @Nullable
    LockValue value; // kept as long as the fence

    long longestTtlMillis; // of the votes and waiters with a token
    long longestTtlExpiryMillis;
    private long sealExpiryMillis;
    private long sealedSinceMillis;
    private String sealedBy = "";

    LockRecord(String resource) {
        this.resource = resource;
    }

    /** Drops what has expired, and returns this record. */
    LockRecord dropExpired(long now) {
        votes.dropExpired(now);
        queue.dropExpired(now);
        if (firstTombstoneEnds <= now) { // otherwise each operation would look at all tombstones
            buried.values().removeIf(expiry -> expiry <= now);
            firstTombstoneEnds = buried.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
        }
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
        return this;
    }

    boolean isEmpty() {
        return fence == 0 && longestTtlMillis == 0 && buried.isEmpty() && !isInUse();
    }

    boolean isInUse() {
        return !votes.isEmpty() || !queue.isEmpty() || isSealed();
    }

    /** Returns whether nothing is left but a fence that an absent one would exceed, and that is not kept beyond this time. */
    boolean rests(long now, long keptUntilMillis) {
        return value == null
                && buried.isEmpty()
                && !isInUse()
                && fence < FenceFromTime.ofAbsent(now)
                && fenceExpiryMillis <= keptUntilMillis;
    }

    // ---- tombstones

    boolean isBuried(OwnerId owner) {
        return buried.containsKey(owner);
    }

    void bury(OwnerId owner, long untilMillis) {
        buried.put(owner, untilMillis);
        firstTombstoneEnds = Math.min(firstTombstoneEnds, untilMillis);
    }

    // ---- votes

    /** Returns whether a vote of another owner conflicts with this mode. */
    boolean isBlocked(OwnerId owner, LockMode mode) {
        return votes.firstConflict(owner, mode) != null;
    }

    /** Returns the conflicting vote of another owner with the earliest ticket, which is the same at every node. */
    @Nullable
    Blocker blocker(OwnerId owner, LockMode mode, long now) {
        Vote first = votes.firstConflict(owner, mode);
        return first == null
                ? null
                : new Blocker(Blocker.Kind.HOLDFAST, first.owner.toString(), OptionalLong.of(first.expiryMillis - now));
    }

    // ---- the longest ttl

    /**
     * Remembers the longest ttl of requests for votes with tokens, granted or queued. A request with the same ttl renews the retention once half of it
     * has passed.
     */
    void rememberTtl(AcquireRequest request, long now, long keptMillis) {
        boolean isFading = longestTtlMillis == request.ttlMillis() && longestTtlExpiryMillis - now < keptMillis / 2;
        if (request.mode().bearsToken() && (longestTtlMillis < request.ttlMillis() || isFading)) {
            longestTtlMillis = request.ttlMillis();
            longestTtlExpiryMillis = now + keptMillis;
        }
    }

    // ---- queue

    /** Returns the request of the first waiter; null if there is no waiter, or if the resource is sealed, so that no waiter gets it. */
    @Nullable
    AcquireRequest firstToPromote() {
        Waiter first = queue.first();
        return first == null || isSealed() ? null : first.request();
    }

    /** Returns the ticket of the earliest waiter that this vote blocks, if the waiter is not far down the queue. */
    @Nullable
    Ticket firstWaiterBehind(Vote vote) {
        return queue.isEmpty()
                ? null
                : queue.all()
                        .limit(MOST_WAITERS_SEEN)
                        .filter(waiter -> waiter.request().mode().conflictsWith(vote.mode))
                        .map(waiter -> waiter.owner().ticket())
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the latest ticket time of all holders and waiters. */
    long latestTicketTime() {
        return Math.max(queue.latestTicketTime(), votes.latestTicketTime());
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

    /** Writes the value of a request, if there is one, and if the vote's mode excludes all other writers. */
    void write(@Nullable LockValue later, Vote vote) {
        if (later != null && vote.mode.mayWrite() && later.isLaterThan(value)) {
            value = later;
        }
    }

    // ---- the seal

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
        sealExpiryMillis =
                Math.max(sealExpiryMillis, now + seal.remainingMillis().orElseThrow());
    }

    ResourceState state(long now) {
        List<ResourceState.Holder> holders = votes.all().stream()
                .map(vote -> new ResourceState.Holder(
                        Blocker.Kind.HOLDFAST,
                        vote.owner.toString(),
                        vote.mode,
                        vote.fence,
                        OptionalLong.of(vote.expiryMillis - now)))
                .toList();
        List<ResourceState.Waiter> waiters = queue.all()
                .map(waiter -> new ResourceState.Waiter(
                        waiter.owner().toString(), waiter.request().mode(), waiter.expiryMillis() - now))
                .toList();
        return new ResourceState(resource, fence, holders, waiters, isSealed() ? seal(now) : null, value);
    }

    // ---- snapshots

    void pass(StatePass state) {
        fence = state.number(fence);
        fenceExpiryMillis = state.number(fenceExpiryMillis);
        longestTtlMillis = state.number(longestTtlMillis);
        longestTtlExpiryMillis = state.number(longestTtlExpiryMillis);
        sealExpiryMillis = state.number(sealExpiryMillis);
        sealedSinceMillis = state.number(sealedSinceMillis);
        sealedBy = state.text(sealedBy);
        state.each(value == null ? List.of() : List.of(value), new LockValue(1, 1, ""), any -> {
            value = new LockValue(state.number(any.token()), state.number(any.number()), state.text(any.text()));
        });
        state.each(List.copyOf(buried.keySet()), StatePass.NOBODY, any -> {
            OwnerId owner = state.owner(any);
            bury(owner, state.number(buried.getOrDefault(owner, 0L)));
        });
        state.each(List.copyOf(votes.all()), new Vote(StatePass.NOBODY, LockMode.EX, 0, 0), any -> {
            OwnerId owner = state.owner(any.owner);
            LockMode mode = state.mode(any.mode);
            votes.add(new Vote(owner, mode, state.number(any.fence), state.number(any.expiryMillis)));
        });
        AcquireRequest none = AcquireRequest.forQueuedVote(resource, StatePass.NOBODY, LockMode.EX, 1, 1, 1);
        state.each(queue.all().toList(), new Waiter(none, 0), any -> queue.add(any.pass(state)));
    }
}
