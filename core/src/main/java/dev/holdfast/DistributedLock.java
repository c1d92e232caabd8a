package dev.holdfast;

import dev.holdfast.lease.CurrentLease;
import dev.holdfast.lease.LeaseKeeper;
import dev.holdfast.lease.LeaseSettings;
import dev.holdfast.lease.Scope;
import dev.holdfast.quorum.AttemptSettings;
import dev.holdfast.recipe.ThreadLock;
import dev.holdfast.recipe.ThreadReadWriteLock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A name, and how it is to be locked. An immutable value, thread-safe, without state of its own: making one sends nothing, and it
 * need not be closed. Methods that change a setting return a changed copy.
 *
 * <p>{@link #ttl}, {@link #autoExtend} and {@link #maxHold} are three settings that never switch each other off. Leases are not reentrant: a
 * thread that acquires twice waits for itself. Where it is known to hold the lock ({@link #isHeldByThisThread}) it gets a {@link SelfDeadlockException} instead. Modes that do
 * not conflict are granted; but a reader that asks to read again waits behind a writer in the queue, which waits for the reader.
 */
public final class DistributedLock {

    /** The shortest ttl: below it the drift allowance and one round trip leave nothing. */
    public static final Duration MIN_TTL = Duration.ofMillis(50);

    /** The longest ttl: a crashed holder stops everybody else for so long. */
    public static final Duration MAX_TTL = Duration.ofHours(24);

    /** The wait without a limit, which ends all the same when no majority of nodes answers for {@link HoldfastBuilder#noQuorumTimeout}. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Duration LONGEST_RETENTION = Duration.ofDays(365);

    private static final Duration LONGEST_LINGER = Duration.ofMinutes(1);
    private static final long SHORTEST_NODE_TIMEOUT_NANOS = 5_000_000;
    private static final long LONGEST_NODE_TIMEOUT_NANOS = 500_000_000;

    private final Holdfast holdfast;
    private final String name;
    private final String resource;
    private final LockOptions options;

    DistributedLock(Holdfast holdfast, String name, String resource, LockOptions options) {
        this.holdfast = holdfast;
        this.name = name;
        this.resource = resource;
        this.options = options;
    }

    private DistributedLock with(LockOptions changed) {
        return new DistributedLock(holdfast, name, resource, changed);
    }

    /** The same lock in another mode; EX unless set. */
    public DistributedLock mode(LockMode mode) {
        return with(options.withMode(Objects.requireNonNull(mode, "mode")));
    }

    /** The same lock for readers: {@link LockMode#PR}. */
    public DistributedLock shared() {
        return mode(LockMode.PR);
    }

    /**
     * The same lock with another time to live: how long the nodes keep a lease that is not extended, and so how long others wait after its
     * holder crashed. From 50 ms to 24 h, and at least twice the node timeout. Small values lose the lease at the first pause; large ones
     * keep others waiting.
     */
    public DistributedLock ttl(Duration ttl) {
        requireTtl("ttl", ttl);
        holdfast.requireFitting(ttl);
        return with(options.withTtl(ttl));
    }

    /** The same lock with leases that are extended by themselves until they are released (the default), or not. */
    public DistributedLock autoExtend(boolean autoExtend) {
        return with(options.withLease(lease -> lease.withAutoExtend(autoExtend)));
    }

    /**
     * The same lock with leases that end after this time whatever happens, so that a worker that hangs does not hold it for ever.
     * 50 ms or more; without end unless set.
     */
    public DistributedLock maxHold(Duration maxHold) {
        Durations.requireBetween("maxHold", maxHold, MIN_TTL, FOREVER);
        return with(options.withLease(lease -> lease.withMaxHoldNanos(Durations.saturatedNanos(maxHold))));
    }

    /**
     * The same lock with threads of this client that hand one lease on to each other, without asking the nodes in between (the default), or
     * not (PROTOCOL §7). Handed on in the order in which they came, each with a token of its own; once another client waits, at most
     * {@value LeaseSettings#MOST_HAND_OVERS} times more. Only leases in mode {@link LockMode#EX} that are extended by themselves are handed
     * on, between locks of the same settings. Off, every thread stands in the nodes' queues itself: fairer between clients, and slower.
     */
    public DistributedLock localHandOver(boolean localHandOver) {
        return with(options.withLease(lease -> lease.withHandsOn(localHandOver)));
    }

    /**
     * The same lock with leases that are kept for a moment after their release, so that this client can take them again without asking the
     * nodes; each use has a token of its own. Given up at once when another client waits. For a lock that is taken many times in a row by
     * one client and seldom by others, who wait for a round trip longer; until the moment is over the lock shows as held. Not without
     * {@link #localHandOver}.
     *
     * @param linger 0 (not at all, the default) to 1 minute
     */
    public DistributedLock linger(Duration linger) {
        requireLinger(linger);
        return with(options.withLease(lease -> lease.withLingerNanos(linger.toNanos())));
    }

    /** The same lock with somebody who is told, on a worker thread, how an attempt that waits is doing. */
    public DistributedLock onWaiting(Consumer<Waiting> observer) {
        return with(options.withObserver(Objects.requireNonNull(observer, "observer")));
    }

    public String name() {
        return name;
    }

    public LockMode mode() {
        return options.mode();
    }

    public Duration ttl() {
        return options.ttl();
    }

    // ---- acquiring

    /**
     * Acquires the lock, standing in line for at most {@code wait}; on return it is held.
     *
     * @param wait 0 or more, {@link #FOREVER} for no limit as in {@link #acquire()}; the first answers are waited for one node timeout longer at most
     * @throws LockTimeoutException if somebody else held it for so long
     * @throws NoQuorumException if fewer nodes than a majority gave an answer that counts
     * @throws LockSealedException if its work was declared done
     * @throws HoldfastClosedException if the client is closed before or meanwhile
     * @throws SelfDeadlockException if {@code wait} is not 0 and {@link #isHeldByThisThread}
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    public Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).lease();
    }

    /**
     * {@link #acquire(Duration)} without a limit to the wait. While no majority of nodes answers it waits for at most the client's {@link
     * HoldfastBuilder#noQuorumTimeout}, and then throws a {@link NoQuorumException}.
     */
    public Lease acquire() throws InterruptedException {
        return acquire(FOREVER);
    }

    /**
     * Acquires the lock if it is free now; takes a round trip, a node timeout at most. Where several ask at the same moment and each has the votes of some
     * nodes, nobody has the lock: then it is asked for again, after up to 5 ms and then longer, five times at most, so that one of them gets it (PROTOCOL §4).
     *
     * @throws HoldfastClosedException if the client is closed before or meanwhile
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    public Acquisition tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /** As {@link #acquire(Duration)}, with the refusal as a value. */
    public Acquisition tryAcquire(Duration wait) throws InterruptedException {
        if (!wait.isZero() && isHeldByThisThread()) {
            throw new SelfDeadlockException(
                    "lock '" + name + "' is held by this thread itself, in a mode that " + mode()
                            + " conflicts with, and would be waited for in vain; release it first, or use asReentrantLock()");
        }
        LeaseKeeper.Pending pending = start(wait);
        try {
            return acquisition(pending.await());
        } catch (InterruptedException e) {
            pending.cancel();
            throw e;
        }
    }

    /**
     * Whether the calling thread is known to hold this lock, of this client, in a mode that conflicts with this one's: it works under {@link #run}, {@link #call}, a
     * recipe's {@code call} or a leadership, or it has locked a view. A lease from {@link #acquire(Duration)} is not known to belong to any thread. Costs no
     * message.
     */
    public boolean isHeldByThisThread() {
        return holdfast.keeper().isKeptOutByThisThread(resource, options.mode());
    }

    /**
     * As {@link #acquire(Duration)}, without blocking. Completes on a worker thread, with the same exceptions as causes; cancelling
     * the future, or failing it as {@link CompletableFuture#orTimeout} does, ends the attempt, and gives the lock back if it was granted at the same moment.
     */
    public CompletableFuture<Lease> acquireAsync(Duration wait) {
        return async(wait, Acquisition::lease);
    }

    /** As {@link #acquireAsync}, with the refusal as a value. */
    public CompletableFuture<Acquisition> tryAcquireAsync(Duration wait) {
        return async(wait, acquisition -> acquisition);
    }

    private <T> CompletableFuture<T> async(Duration wait, Function<Acquisition, T> result) {
        LeaseKeeper.Pending pending = start(wait);
        CompletableFuture<T> future = new CompletableFuture<>();
        pending.outcome().whenComplete((outcome, bug) -> {
            if (outcome == null) {
                future.completeExceptionally(bug);
            } else {
                completeOnWorker(future, outcome, result);
            }
        });
        future.whenComplete((value, failure) -> {
            if (failure
                    != null) { // by its caller: cancelled, or timed out; the refusal itself has nothing left to cancel
                pending.cancel();
            }
        });
        return future;
    }

    private <T> void completeOnWorker(
            CompletableFuture<T> future, LeaseKeeper.Outcome outcome, Function<Acquisition, T> result) {
        try {
            holdfast.timing().scheduler().execute(() -> complete(future, outcome, result));
        } catch (RuntimeException | Error e) { // no worker can be had, but somebody waits
            complete(future, outcome, result);
            throw e;
        }
    }

    private <T> void complete(
            CompletableFuture<T> future, LeaseKeeper.Outcome outcome, Function<Acquisition, T> result) {
        boolean taken;
        try {
            taken = future.complete(result.apply(acquisition(outcome)));
        } catch (RuntimeException e) {
            taken = future.completeExceptionally(e);
        }
        Lease lease = outcome.lease();
        if (!taken && lease != null) {
            lease.releaseAsync();
        }
    }

    private LeaseKeeper.Pending start(Duration wait) {
        Durations.requireNotNegative("wait", wait);
        long ttlMillis = options.ttl().toMillis();
        AttemptSettings attempt = new AttemptSettings(
                name,
                resource,
                options.mode(),
                ttlMillis,
                Durations.saturatedNanos(wait),
                holdfast.waiterTtlMillis(options.ttl()),
                1,
                nodeTimeoutNanos(options.ttl(), holdfast.nodeTimeout()),
                options.observer());
        return holdfast.keeper().acquire(attempt, options.lease());
    }

    private static Acquisition acquisition(LeaseKeeper.Outcome outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            return new Acquisition.Held(Objects.requireNonNull(outcome.lease()));
        }
        if (refusal.reason() == Refusal.Reason.CLOSED) {
            throw refusal.exception();
        }
        return new Acquisition.Refused(refusal);
    }

    // ---- a scope

    /**
     * Acquires the lock, runs the action, and releases the lock, however the action ends. The running thread is interrupted when the
     * lease is lost meanwhile. Until the action ends, the lease is {@link Holdfast#currentLease}.
     *
     * @throws LeaseLostException if the lease was lost while the action ran and the action did not throw something else; an
     *     {@link InterruptedException} that the loss caused is turned into it
     * @throws E what the action throws, unharmed
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
    public <E extends Exception> void run(Duration wait, LockAction<E> action) throws E, InterruptedException {
        call(wait, lease -> {
            action.run(lease);
            return Boolean.TRUE;
        });
    }

    /** {@link #run} with a result. */
    public <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException {
        try (Lease lease = acquire(wait)) {
            return Scope.call(
                    "lease of '" + name + "'",
                    lease.lost(),
                    lease::release,
                    () -> CurrentLease.during(lease, () -> task.call(lease)));
        }
    }

    // ---- as java.util.concurrent knows it

    /**
     * This lock for code that takes a {@link java.util.concurrent.locks.Lock}. One view is one holder for each thread; what such an
     * interface can't express is written at {@link ThreadLock}.
     */
    public ThreadLock asLock() {
        return new ThreadLock(this, false);
    }

    /** As {@link #asLock}, and a thread that holds it may lock it again; it is released with the last unlock. */
    public ThreadLock asReentrantLock() {
        return new ThreadLock(this, true);
    }

    /** Readers in mode PR, the writer in mode EX, whatever the mode of this lock; see {@link ThreadReadWriteLock}. */
    public ThreadReadWriteLock asReadWriteLock() {
        return new ThreadReadWriteLock(this, false);
    }

    /** As {@link #asReadWriteLock}, and a thread that reads may read again, one that writes write again. */
    public ThreadReadWriteLock asReentrantReadWriteLock() {
        return new ThreadReadWriteLock(this, true);
    }

    // ---- looking

    /** What the nodes know of this lock; blocks for a round trip, a node timeout at most. For people: it may have changed already. */
    public LockStatus status() throws InterruptedException {
        return holdfast.status(name);
    }

    /** As {@link #status}, without blocking. Completes on a worker thread. */
    public CompletableFuture<LockStatus> statusAsync() {
        return holdfast.statusAsync(name);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + ", " + options.mode() + ", ttl " + Durations.text(options.ttl()) + "]";
    }

    /** How long a seal is to last in milliseconds, checked; fractions of a millisecond are rounded up. */
    public static long requireRetention(Duration retention) {
        Durations.requireBetween("retention", retention, Duration.ofMillis(1), LONGEST_RETENTION);
        return retention.plusNanos(999_999).toMillis();
    }

    /** A ttl in milliseconds, checked. Fractions of a millisecond are refused rather than rounded. */
    public static long requireTtl(String what, Duration ttl) {
        Durations.requireBetween(what, ttl, MIN_TTL, MAX_TTL);
        if (ttl.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(what + " is " + ttl + ", but must be whole milliseconds");
        }
        return ttl.toMillis();
    }

    /** How long a lease is to be held at least in milliseconds, checked; fractions of a millisecond are rounded up. */
    public static long requireHeld(String what, Duration held) {
        Durations.requireBetween(what, held, Duration.ZERO, MAX_TTL);
        return held.plusNanos(999_999).toMillis();
    }

    static void requireLinger(Duration linger) {
        Durations.requireBetween("linger", linger, Duration.ZERO, LONGEST_LINGER);
    }

    static long nodeTimeoutNanos(Duration ttl, @Nullable Duration configured) {
        if (configured != null) {
            return configured.toNanos();
        }
        long twentieth = ttl.toNanos() / 20;
        return Math.min(Math.max(twentieth, SHORTEST_NODE_TIMEOUT_NANOS), LONGEST_NODE_TIMEOUT_NANOS);
    }
}
