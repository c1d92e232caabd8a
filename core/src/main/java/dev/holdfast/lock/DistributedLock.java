package dev.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A name, and how it is to be locked. An immutable value, thread-safe, without state of its own: making one sends nothing, and it
 * need not be closed. Methods that change a setting return a changed copy.
 *
 * <p>{@link #ttl}, {@link #autoExtend} and {@link #maxHold} are three settings that never switch each other off. Leases are not reentrant: a
 * thread that acquires twice waits for itself. Where it is known to hold the lock ({@link #isHeldByThisThread}) it gets a {@link SelfDeadlockException} instead. Modes that do
 * not conflict are granted; but a reader that asks to read again waits behind a writer in the queue, which waits for the reader.
 */
public interface DistributedLock {

    /** The shortest ttl: below it the drift allowance and one round trip leave nothing. */
    Duration MIN_TTL = Duration.ofMillis(50);

    /** The longest ttl: a crashed holder stops everybody else for so long. */
    Duration MAX_TTL = Duration.ofHours(24);

    /** The wait without a limit, which ends all the same when no majority of nodes answers for {@link dev.holdfast.HoldfastBuilder#noQuorumTimeout}. */
    Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** The same lock in another mode; EX unless set. */
    DistributedLock mode(LockMode mode);

    /** The same lock for readers: {@link LockMode#PR}. */
    DistributedLock shared();

    /**
     * The same lock with another time to live: how long the nodes keep a lease that is not extended, and so how long others wait after its
     * holder crashed. From 50 ms to 24 h, and at least twice the node timeout. Small values lose the lease at the first pause; large ones
     * keep others waiting.
     */
    DistributedLock ttl(Duration ttl);

    /** The same lock with leases that are extended by themselves until they are released (the default), or not. */
    DistributedLock autoExtend(boolean autoExtend);

    /**
     * The same lock with leases that end after this time whatever happens, so that a worker that hangs does not hold it for ever.
     * 50 ms or more; without end unless set.
     */
    DistributedLock maxHold(Duration maxHold);

    /**
     * The same lock with threads of this client that hand one lease on to each other, without asking the nodes in between (the default), or
     * not (PROTOCOL §7). Handed on in the order in which they came, each with a token of its own; once another client waits, at most
     * 16 times more. Only leases in mode {@link LockMode#EX} that are extended by themselves are handed
     * on, between locks of the same settings. Off, every thread stands in the nodes' queues itself: fairer between clients, and slower.
     */
    DistributedLock localHandOver(boolean localHandOver);

    /**
     * The same lock with leases that are kept for a moment after their release, so that this client can take them again without asking the
     * nodes; each use has a token of its own. Given up at once when another client waits. For a lock that is taken many times in a row by
     * one client and seldom by others, who wait for a round trip longer; until the moment is over the lock shows as held. Not without
     * {@link #localHandOver}.
     *
     * @param linger 0 (not at all, the default) to 1 minute
     */
    DistributedLock linger(Duration linger);

    /**
     * Returns this lock with an observer of waits. It is called on a worker thread with each change while a request waits, one call after the other, and
     * only with the latest state if it is slow. It does not change where the request waits; with {@link #localHandOver} that may be this client's own queue.
     */
    DistributedLock onWaiting(Consumer<Waiting> observer);

    String name();

    LockMode mode();

    Duration ttl();

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
    Lease acquire(Duration wait) throws InterruptedException;

    /**
     * {@link #acquire(Duration)} without a limit to the wait. While no majority of nodes answers it waits for at most the client's {@link
     * dev.holdfast.HoldfastBuilder#noQuorumTimeout}, and then throws a {@link NoQuorumException}.
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the lock if it is free now; takes a round trip, a node timeout at most. Where several ask at the same moment and each has the votes of some
     * nodes, nobody has the lock: then it is asked for again, after up to 5 ms and then longer, five times at most, so that one of them gets it (PROTOCOL §4).
     *
     * @throws HoldfastClosedException if the client is closed before or meanwhile
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    Acquisition tryAcquire() throws InterruptedException;

    /** As {@link #acquire(Duration)}, with the refusal as a value. */
    Acquisition tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Whether the calling thread is known to hold this lock, of this client, in a mode that conflicts with this one's: it works under {@link #run}, {@link #call}, a
     * recipe's {@code call} or a leadership, or it has locked a view. A lease from {@link #acquire(Duration)} is not known to belong to any thread. Costs no
     * message.
     */
    boolean isHeldByThisThread();

    /**
     * As {@link #acquire(Duration)}, without blocking. Completes on a worker thread, with the same exceptions as causes; cancelling
     * the future, or failing it as {@link CompletableFuture#orTimeout} does, ends the attempt, and gives the lock back if it was granted at the same moment.
     */
    CompletableFuture<Lease> acquireAsync(Duration wait);

    /** As {@link #acquireAsync}, with the refusal as a value. */
    CompletableFuture<Acquisition> tryAcquireAsync(Duration wait);

    // ---- a scope

    /**
     * Acquires the lock, runs the action, and releases the lock, however the action ends. The running thread is interrupted when the
     * lease is lost meanwhile. Until the action ends, the lease is {@link dev.holdfast.Holdfast#currentLease}.
     *
     * @throws LeaseLostException if the lease was lost while the action ran and the action did not throw something else; an
     *     {@link InterruptedException} that the loss caused is turned into it
     * @throws E what the action throws, unharmed
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
    <E extends Exception> void run(Duration wait, LockAction<E> action) throws E, InterruptedException;

    /** {@link #run} with a result. */
    <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException;

    // ---- as java.util.concurrent knows it

    /**
     * This lock for code that takes a {@link java.util.concurrent.locks.Lock}. One view is one holder for each thread; what such an
     * interface can't express is written at {@link ThreadLock}.
     */
    ThreadLock asLock();

    /** As {@link #asLock}, and a thread that holds it may lock it again; it is released with the last unlock. */
    ThreadLock asReentrantLock();

    /** Readers in mode PR, the writer in mode EX, whatever the mode of this lock; see {@link ThreadReadWriteLock}. */
    ThreadReadWriteLock asReadWriteLock();

    /** As {@link #asReadWriteLock}, and a thread that reads may read again, one that writes write again. */
    ThreadReadWriteLock asReentrantReadWriteLock();

    // ---- looking

    /** What the nodes know of this lock; blocks for a round trip, a node timeout at most. For people: it may have changed already. */
    LockStatus status() throws InterruptedException;

    /** As {@link #status}, without blocking. Completes on a worker thread. */
    CompletableFuture<LockStatus> statusAsync();
}
