package dev.holdfast.node;

import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A node as PROTOCOL §3 defines it: a pure and deterministic function from state, operation and time to an answer and pushes.
 *
 * <p>The in-memory node, the lock server and the simulator run this class. Tests compare the scripts of the Redis node with it step by step, so it
 * defines the behaviour of every kind of node. It is not thread-safe. The caller passes the time of the node's wall clock in milliseconds.
 */
public final class LockTable {

    /** How long a record stays after its last use, if a later one can do without it. Records with a longer ttl stay. */
    private static final long REST_MILLIS = 600_000;

    private final long fenceRetentionMillis;
    private final TreeMap<String, LockRecord> records = new TreeMap<>();
    private long base; // the lower bound of fences that follows from this run's start
    private long floor; // the lower bound of fences that follows from earlier runs
    private long droppedTtlMillis; // the longest ttl of dropped resources
    private long droppedTtlExpiryMillis;
    private long promisedUntilMillis;
    private long highestFence;

    /**
     * Creates an empty table.
     *
     * @param fenceRetentionMillis how long the table remembers a fence after its last use, in milliseconds; longer than any ttl
     * @param countedFromMillis the time for {@link #restarted}: a node that has lost all state has restarted too
     */
    public LockTable(long fenceRetentionMillis, long countedFromMillis) {
        if (fenceRetentionMillis < 1) {
            throw new IllegalArgumentException(
                    "fenceRetention is " + fenceRetentionMillis + " ms, but must be at least 1 ms");
        }
        this.fenceRetentionMillis = fenceRetentionMillis;
        restarted(countedFromMillis);
    }

    /**
     * Begins a run of the node with the content of the table. The table may have lost state, so from now on no fence is below the base for this time
     * (PROTOCOL §5). Every fence of an earlier run is below it.
     *
     * @param countedFromMillis the time from which votes of this run count, in milliseconds by the node's clock: its start plus its quarantine, if
     *     any; 0 or more
     */
    public void restarted(long countedFromMillis) {
        base = FenceFromTime.ofRun(countedFromMillis);
    }

    /**
     * Raises all later fences to at least the fence of the node's present time. This is only for the single node of a client: with several nodes, fences
     * would differ at every grant, and each lease would need a raise.
     */
    public void followClock() {
        base = Long.MAX_VALUE;
    }

    /**
     * Returns the lower bound of fences now. It never follows from a time in the future, since a later run's fences might not be above such a bound.
     */
    private long base(long now) {
        return Math.max(Math.min(base, FenceFromTime.ofRun(now)), floor);
    }

    /** Keeps every fence of this run at or above this one, the highest that an earlier run may have given, regardless of the clock. */
    public void neverBelow(long fence) {
        floor = Math.max(floor, fence);
    }

    /**
     * Returns the end of the last vote that this table ever gave or extended, by the node's clock; 0 if it gave none. The owner may have released
     * that vote since.
     */
    public long promisedUntilMillis() {
        return promisedUntilMillis;
    }

    /** Returns the highest fence that this table ever gave, or to which it raised a vote; 0 if there is none. */
    public long highestFence() {
        return highestFence;
    }

    /** Returns the end of the last existing vote, by the node's clock; {@code now} if there is none. */
    public long lastVoteMillis(long now) {
        return records.values().stream()
                .mapToLong(record -> record.votes.lastExpiryMillis())
                .reduce(now, Math::max);
    }

    /** Carries out ACQUIRE. The numbers in the code are the steps of PROTOCOL §3. */
    public AcquireAnswer acquire(AcquireRequest request, long now, Consumer<Push> pushes) {
        LockRecord record = recordOf(request.resource(), now);
        AcquireAnswer answer = acquire(record, request, now, pushes);
        forgetIfEmpty(record);
        return answer;
    }

    private AcquireAnswer acquire(LockRecord record, AcquireRequest request, long now, Consumer<Push> pushes) {
        OwnerId owner = request.owner();
        if (record.isSealed()) {
            return new Sealed(record.seal(now));
        }
        if (record.isBuried(owner)) {
            return new Denied(0, Denied.Reason.BURIED, null, 0);
        }
        Vote vote = record.votes.of(owner);
        if (vote != null) { // 1: extend, raise
            record.votes.prolong(vote, now + request.ttlMillis());
            if (vote.mode.bearsToken() && request.floor() > vote.fence) {
                vote.fence = request.floor();
                record.raiseFence(request.floor(), now);
            }
            promised(vote);
            record.keepFence(now + fenceRetentionMillis);
            record.write(request.value(), vote);
            return granted(record, request, vote, now);
        }
        boolean blocked = record.isBlocked(owner, request.mode());
        if (request.floor() > 0) { // 2: heal, or deny
            if (request.heal() && !blocked && !record.queue.hasOthers(owner) && record.mayHeal(request.floor())) {
                if (request.mode().bearsToken()) {
                    record.raiseFence(request.floor(), now);
                }
                Vote healed = grant(record, request, 0, request.ttlMillis(), now);
                record.write(request.value(), healed);
                return granted(record, request, healed, now);
            }
            return denied(record, Denied.Reason.NO_VOTE, request, now);
        }
        boolean mayPass = !request.mode().bearsToken() || !record.queue.hasBefore(owner.ticket());
        if (!blocked && mayPass) { // 3
            return granted(record, request, grant(record, request, request.tokens(), request.ttlMillis(), now), now);
        }
        if (request.queue()) { // 4
            return queue(record, request, now, pushes);
        }
        return denied( // 5
                record, blocked ? Denied.Reason.HELD : Denied.Reason.WAITERS, request, now);
    }

    private AcquireAnswer queue(LockRecord record, AcquireRequest request, long now, Consumer<Push> pushes) {
        OwnerId owner = request.owner();
        List<Vote> told = record.votes.latestConflicts(owner, request.mode()).stream()
                .filter(vote ->
                        owner.ticket().compareTo(vote.owner.ticket()) < 0 || record.firstWaiterBehind(vote) == null)
                .toList(); // chosen before the request itself is in the queue
        record.queue.add(new Waiter(request, now + request.waiterTtlMillis()));
        // its vote may come as late as the entry ends, and last as long again before its first extension
        record.rememberTtl(request, now, Math.max(fenceRetentionMillis, 4 * request.waiterTtlMillis()));
        told.forEach(vote -> pushes.accept(
                new Push.Contended(record.resource, vote.owner, vote.fence, owner.ticket(), record.value)));
        long fence = record.fence(now, base(now));
        int place = record.queue.place(owner);
        promote(record, now, pushes);
        return new Queued(
                record.votes.remainingMillis(owner, now),
                fence,
                place,
                record.blocker(owner, request.mode(), now),
                record.latestTicketTime(),
                longestTtlMillis(record, request, now));
    }

    /** Carries out RELEASE. */
    public ReleaseAnswer release(ReleaseRequest request, long now, Consumer<Push> pushes) {
        LockRecord record = recordOf(request.resource(), now);
        Vote vote = record.votes.of(request.owner());
        if (vote != null && request.value() != null && vote.mode.mayWrite()) {
            record.keepFence(now + fenceRetentionMillis);
            record.write(request.value(), vote);
        }
        boolean hadVote = record.votes.remove(request.owner());
        record.queue.remove(request.owner());
        if (request.buryMillis() > 0) {
            record.bury(request.owner(), now + request.buryMillis());
        }
        if (request.seal() != null) {
            record.seal(request.seal(), now);
        }
        promote(record, now, pushes);
        forgetIfEmpty(record);
        return hadVote ? new ReleaseAnswer.Released() : new ReleaseAnswer.Absent();
    }

    /**
     * Grants votes to waiters in the order of their tickets, and stops at the first waiter that still conflicts. No waiter gets a sealed resource.
     */
    private void promote(LockRecord record, long now, Consumer<Push> pushes) {
        for (AcquireRequest request = record.firstToPromote();
                request != null && !record.isBlocked(request.owner(), request.mode());
                request = record.firstToPromote()) {
            long ttl = Math.min(request.ttlMillis(), request.waiterTtlMillis());
            Vote vote = grant(record, request, request.tokens(), ttl, now);
            Ticket next = record.firstWaiterBehind(vote);
            if (next != null) {
                // pushed before the grant, so that the client that the grant gives the lock already knows the waiter
                pushes.accept(new Push.Contended(record.resource, vote.owner, vote.fence, next, record.value));
            }
            pushes.accept(new Push.Granted(record.resource, vote.owner, vote.fence, record.value));
        }
    }

    private Vote grant(LockRecord record, AcquireRequest request, int tokens, long ttlMillis, long now) {
        record.queue.remove(request.owner());
        long fence = 0;
        if (request.mode().bearsToken()) {
            fence = record.fence(now, base(now)) + tokens;
            record.raiseFence(fence, now);
            record.keepFence(now + fenceRetentionMillis);
        }
        Vote vote = new Vote(request.owner(), request.mode(), fence, now + ttlMillis);
        record.votes.add(vote);
        promised(vote);
        return vote;
    }

    private void promised(Vote vote) {
        promisedUntilMillis = Math.max(promisedUntilMillis, vote.expiryMillis);
        highestFence = Math.max(highestFence, vote.fence);
    }

    private Granted granted(LockRecord record, AcquireRequest request, Vote vote, long now) {
        record.rememberTtl(request, now, fenceRetentionMillis);
        return new Granted(
                vote.fence,
                record.firstWaiterBehind(vote),
                record.latestTicketTime(),
                request.floor() == 0 ? record.value : null,
                longestTtlMillis(record, request, now));
    }

    private Denied denied(LockRecord record, Denied.Reason reason, AcquireRequest request, long now) {
        return new Denied(
                record.votes.remainingMillis(request.owner(), now),
                reason,
                record.blocker(request.owner(), request.mode(), now),
                record.latestTicketTime(),
                longestTtlMillis(record, request, now));
    }

    /** Returns the longest remembered ttl if it is longer than the request's; else 0. */
    private long longestTtlMillis(LockRecord record, AcquireRequest request, long now) {
        long longest = Math.max(record.longestTtlMillis, droppedTtlExpiryMillis > now ? droppedTtlMillis : 0);
        return longest > request.ttlMillis() ? longest : 0;
    }

    /** Carries out INSPECT. */
    public ResourceState inspect(String resource, long now) {
        LockRecord record = recordOf(resource, now);
        ResourceState state = record.state(now);
        forgetIfEmpty(record);
        return state;
    }

    /** Carries out LIST: returns the resources with a holder, a waiter or a seal, by name. */
    public ListAnswer.Names list(String prefix, int limit, long now) {
        List<String> names = records.tailMap(prefix).values().stream()
                .takeWhile(record -> record.resource.startsWith(prefix))
                .filter(record -> record.dropExpired(now).isInUse())
                .map(record -> record.resource)
                .limit(limit + 1L)
                .toList();
        boolean complete = names.size() <= limit;
        return new ListAnswer.Names(complete ? names : names.subList(0, limit), complete);
    }

    /** Drops the expired state of all resources. Otherwise, resources that no client uses any more would stay in memory. */
    public void sweep(long now) {
        records.values().removeIf(record -> record.dropExpired(now).isEmpty());
    }

    /**
     * Drops the expired state, and also the records that have rested for ten minutes and that later ones can do without (PROTOCOL §3). This is only for a
     * table whose time never falls back: its next fence of such a resource follows from the time. The longest ttl of such resources then counts for all.
     */
    public void dropUnused(long now) {
        sweep(now);
        records.values().removeIf(record -> {
            boolean rests = record.longestTtlMillis <= REST_MILLIS
                    && record.rests(now, now - REST_MILLIS + fenceRetentionMillis);
            if (rests) {
                droppedTtlMillis = Math.max(droppedTtlMillis, record.longestTtlMillis);
                droppedTtlExpiryMillis = Math.max(droppedTtlExpiryMillis, record.longestTtlExpiryMillis);
            }
            return rests;
        });
    }

    /** Returns the number of resources that use memory, even if only for a fence. */
    public int size() {
        return records.size();
    }

    /**
     * Writes all state of the table, or replaces that of an empty table. A table read from a snapshot answers like the one that wrote it. Equal state
     * gives equal passes.
     */
    public void pass(StatePass state) {
        base = state.number(base);
        floor = state.number(floor);
        promisedUntilMillis = state.number(promisedUntilMillis);
        highestFence = state.number(highestFence);
        state.each(
                List.copyOf(records.keySet()),
                "",
                name -> records.computeIfAbsent(state.text(name), LockRecord::new)
                        .pass(state));
        droppedTtlMillis = state.number(droppedTtlMillis);
        droppedTtlExpiryMillis = state.number(droppedTtlExpiryMillis);
    }

    private LockRecord recordOf(String resource, long now) {
        return records.computeIfAbsent(resource, LockRecord::new).dropExpired(now);
    }

    private void forgetIfEmpty(LockRecord record) {
        if (record.isEmpty()) {
            records.remove(record.resource);
        }
    }
}
