package dev.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A lock of this name, with its options. An immutable value, thread-safe, without state of its own: making one sends nothing, and it need not be closed.
 * Methods that change an option return a changed copy.
 *
 * <p>Leases are not reentrant: a thread that acquires a lock twice waits for itself. Where the thread is known to hold the lock
 * ({@link #isHeldByThisThread}), it gets a {@link SelfDeadlockException} instead. Compatible modes are granted at the same time; but a reader that acquires
 * the lock again queues behind a waiting writer, which waits for the reader.
 */
public interface DistributedLock {

    /** The shortest ttl: the drift allowance and one round trip leave nothing of a shorter one. */
    Duration MIN_TTL = Duration.ofMillis(50);

    /** The longest ttl: a crashed holder blocks all waiters for so long. */
    Duration MAX_TTL = Duration.ofHours(24);

    /** A wait without a limit. It ends all the same when no majority of nodes has answered for the {@link dev.holdfast.HoldfastBuilder#noQuorumTimeout}. */
    Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** Returns the name of the lock, without the client's key prefix. */
    String name();

    // ---- options

    /** Returns the options of this lock. */
    LockOptions options();

    /**
     * Returns the same lock with these options.
     *
     * @throws IllegalArgumentException if the ttl is less than twice the client's node timeout, or longer than its {@link
     *     dev.holdfast.HoldfastBuilder#fenceRetention}
     */
    DistributedLock options(LockOptions options);

    /** Returns the same lock with changed options; the methods below are short forms of this one. */
    default DistributedLock options(UnaryOperator<LockOptions> change) {
        return options(change.apply(options()));
    }

    /** Returns the same lock with another {@linkplain LockOptions#mode(LockMode) mode}. */
    default DistributedLock mode(LockMode mode) {
        return options(options().mode(mode));
    }

    /** Returns the same lock for readers, in mode {@link LockMode#PR}. */
    default DistributedLock shared() {
        return mode(LockMode.PR);
    }

    /** Returns the same lock with another {@linkplain LockOptions#ttl(Duration) time to live}, 50 ms to 24 h. */
    default DistributedLock ttl(Duration ttl) {
        return options(options().ttl(ttl));
    }

    /** Returns the same lock with leases that the client {@linkplain LockOptions#autoExtend(boolean) extends} until they are released, or not. */
    default DistributedLock autoExtend(boolean autoExtend) {
        return options(options().autoExtend(autoExtend));
    }

    /** Returns the same lock with a {@linkplain LockOptions#maxHold(Duration) longest hold}, 50 ms or more. */
    default DistributedLock maxHold(Duration maxHold) {
        return options(options().maxHold(maxHold));
    }

    /** Returns the same lock with threads of this client that {@linkplain LockOptions#localHandOver(boolean) hand a lease over}, or not. */
    default DistributedLock localHandOver(boolean localHandOver) {
        return options(options().localHandOver(localHandOver));
    }

    /** Returns the same lock with leases that {@linkplain LockOptions#linger(Duration) are kept} for up to 1 minute after their release. */
    default DistributedLock linger(Duration linger) {
        return options(options().linger(linger));
    }

    /** Returns the same lock with an {@linkplain LockOptions#onWaiting(Consumer) observer} of attempts that wait. */
    default DistributedLock onWaiting(Consumer<Waiting> observer) {
        return options(options().onWaiting(observer));
    }

    /** Returns the mode in which this acquires the lock. */
    default LockMode mode() {
        return options().mode();
    }

    /** Returns how long the nodes keep a lease that is not extended. */
    default Duration ttl() {
        return options().ttl();
    }

    // ---- acquiring

    /**
     * Acquires the lock, waiting in its queue for up to {@code wait}; it is held on return.
     *
     * @param wait 0 or more; {@link #FOREVER} for no limit, as in {@link #acquire()}. The first answers of the nodes may take one node timeout more.
     * @throws LockTimeoutException if another client held the lock, or was ahead in its queue, for so long
     * @throws NoQuorumException if fewer nodes than a majority gave an answer that counts
     * @throws LockSealedException if the work under this lock was declared done
     * @throws HoldfastClosedException if the client is closed, before or meanwhile
     * @throws SelfDeadlockException if {@code wait} is not 0 and {@link #isHeldByThisThread}
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    Lease acquire(Duration wait) throws InterruptedException;

    /**
     * Acquires the lock without a limit to the wait; see {@link #acquire(Duration)}. While no majority of nodes answers, it waits for at most the client's
     * {@link dev.holdfast.HoldfastBuilder#noQuorumTimeout}, and then throws a {@link NoQuorumException}.
     */
    default Lease acquire() throws InterruptedException {
        return acquire(FOREVER);
    }

    /**
     * Acquires the lock if it is free now. Blocks for a round trip, a node timeout at most. If several clients ask at the same moment and each gets the votes of
     * some nodes, none has the lock; then this asks again, after up to 5 ms and then longer, at most five times, so that one of them gets it (PROTOCOL
     * §4).
     *
     * @return the lease, or the reason why there is none
     * @throws HoldfastClosedException if the client is closed, before or meanwhile
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    default Acquisition tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /** Acquires the lock as {@link #acquire(Duration)} does, and returns a refusal as a value instead of throwing it. */
    Acquisition tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Acquires the lock as {@link #acquire(Duration)} does, without blocking.
     *
     * @return completes on a worker thread, with the exceptions of {@link #acquire(Duration)} as causes. Cancelling it, or failing it as
     *     {@link CompletableFuture#orTimeout} does, ends the attempt; a lease that was granted at the same moment is released.
     * @throws IllegalArgumentException if {@code wait} is negative
     * @throws HoldfastClosedException if the client is closed
     */
    CompletableFuture<Lease> acquireAsync(Duration wait);

    /** Acquires the lock as {@link #acquireAsync} does, with a refusal as a value. */
    CompletableFuture<Acquisition> tryAcquireAsync(Duration wait);

    /**
     * Returns whether the calling thread is known to hold this lock, of this client, in a mode that conflicts with this one's. It is known if the thread runs
     * under {@link #run}, {@link #call}, {@code call} of a recipe or a leadership, or has locked a view. A lease from {@link #acquire(Duration)} is not bound to a
     * thread, so it does not count. Sends nothing.
     */
    boolean isHeldByThisThread();

    // ---- a scope

    /** Does work under the lock, as {@link #call} does, without a result. */
    default <E extends Exception> void run(Duration wait, LockAction<E> action) throws E, InterruptedException {
        call(wait, lease -> {
            action.run(lease);
            return Boolean.TRUE;
        });
    }

    /**
     * Acquires the lock, does the work, and releases the lock, however the work ends. The running thread is interrupted if the lease is lost meanwhile. During the
     * work, {@link dev.holdfast.Holdfast#currentLease} returns the lease.
     *
     * @throws LeaseLostException if the lease was lost during the work and the work did not throw another exception; an {@link InterruptedException}
     *     that the loss caused becomes this one
     * @throws E what the work throws, unchanged
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
    <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException;

    // ---- views for java.util.concurrent

    /**
     * Returns a view of this lock for code that takes a {@link java.util.concurrent.locks.Lock}. In one view, each thread is a holder of its own.
     * {@link ThreadLock} says what such an interface cannot express.
     */
    ThreadLock asLock();

    /** Returns a view as {@link #asLock} does; a thread that holds it may lock it again, and the last unlock releases it. */
    ThreadLock asReentrantLock();

    /** Returns a view with readers in mode {@link LockMode#PR} and a writer in mode {@link LockMode#EX}, whatever the mode of this lock. */
    ThreadReadWriteLock asReadWriteLock();

    /** Returns a view as {@link #asReadWriteLock} does; a thread that reads may read again, and one that writes may write again. */
    ThreadReadWriteLock asReentrantReadWriteLock();

    // ---- looking

    /** Asks every node for the state of this lock, as {@link dev.holdfast.HoldfastAdmin#status} does. For people: the state may have changed already. */
    LockStatus status() throws InterruptedException;

    /** Asks every node for the state of this lock, as {@link #status} does, without blocking. The future completes on a worker thread. */
    CompletableFuture<LockStatus> statusAsync();
}
