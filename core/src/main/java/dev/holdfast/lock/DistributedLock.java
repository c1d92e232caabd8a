package dev.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A lock with a name and options. A {@code DistributedLock} is an immutable, thread-safe value without state of its own: creating one sends nothing,
 * and it needs no closing. Methods that change an option return a changed copy.
 *
 * <p>Leases are not reentrant: a thread that acquires a lock twice waits for itself. If the client knows that the thread holds the lock ({@link
 * #isHeldByThisThread}), it throws a {@link SelfDeadlockException} instead. Clients can hold a lock at the same time in compatible modes. Even so, a
 * reader that acquires the lock again may deadlock: it queues behind a waiting writer, and the writer waits for the reader.
 */
public interface DistributedLock {

    /** The shortest ttl. The drift allowance and one round trip would use up a shorter one. */
    Duration MIN_TTL = Duration.ofMillis(50);

    /** The longest ttl. A crashed holder blocks all waiters until its ttl has passed. */
    Duration MAX_TTL = Duration.ofHours(24);

    /**
     * A wait without a limit. Such a wait still ends if no majority of nodes answers for the {@link dev.holdfast.HoldfastBuilder#noQuorumTimeout}.
     */
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

    /** Returns the same lock with changed options. The methods below are short forms of this one. */
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

    /** Returns the same lock, and sets whether the client {@linkplain LockOptions#autoExtend(boolean) extends} its leases until their release. */
    default DistributedLock autoExtend(boolean autoExtend) {
        return options(options().autoExtend(autoExtend));
    }

    /** Returns the same lock with a {@linkplain LockOptions#maxHold(Duration) longest hold}, 50 ms or more. */
    default DistributedLock maxHold(Duration maxHold) {
        return options(options().maxHold(maxHold));
    }

    /**
     * Returns the same lock, and sets whether threads of this client {@linkplain LockOptions#localHandOver(boolean) hand a lease over} to each other.
     */
    default DistributedLock localHandOver(boolean localHandOver) {
        return options(options().localHandOver(localHandOver));
    }

    /** Returns the same lock with leases that the client {@linkplain LockOptions#linger(Duration) keeps} for up to 1 minute after their release. */
    default DistributedLock linger(Duration linger) {
        return options(options().linger(linger));
    }

    /** Returns the same lock with a {@linkplain LockOptions#label(String) label}, the name of its holders and waiters for people. */
    default DistributedLock label(String label) {
        return options(options().label(label));
    }

    /** Returns the same lock with an {@linkplain LockOptions#onWaiting(Consumer) observer} of attempts that wait. */
    default DistributedLock onWaiting(Consumer<Waiting> observer) {
        return options(options().onWaiting(observer));
    }

    /** Returns the mode in which this object acquires the lock. */
    default LockMode mode() {
        return options().mode();
    }

    /** Returns how long the nodes keep a lease without an extension. */
    default Duration ttl() {
        return options().ttl();
    }

    // ---- acquiring

    /**
     * Acquires the lock, waiting in its queue for up to {@code wait}. On return, the caller holds the lock.
     *
     * @param wait 0 or more; {@link #FOREVER} for no limit, as in {@link #acquire()}. The first answers of the nodes may take one node timeout
     *     longer.
     * @throws LockTimeoutException if another client held the lock, or was ahead in its queue, until the wait ended
     * @throws NoQuorumException if fewer nodes than a majority gave an answer that counts
     * @throws LockSealedException if the lock is sealed: a client declared the work under it done
     * @throws HoldfastClosedException if the client is closed before the call or during the wait
     * @throws SelfDeadlockException if {@code wait} is not 0 and {@link #isHeldByThisThread} returns true
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    default Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).lease();
    }

    /**
     * Acquires the lock without a limit to the wait, as {@link #acquire(Duration)} does. While no majority of nodes answers, this call waits for at
     * most the client's {@link dev.holdfast.HoldfastBuilder#noQuorumTimeout}, and then throws a {@link NoQuorumException}.
     */
    default Lease acquire() throws InterruptedException {
        return acquire(FOREVER);
    }

    /**
     * Acquires the lock if it is free now. Blocks for a round trip, a node timeout at most. If several clients try at the same moment and each gets
     * the votes of some nodes, no client has the lock. In that case, this call retries at most five times, after up to 5 ms at first and longer
     * later, so that one client gets the lock (PROTOCOL §4).
     *
     * @return the lease, or the reason why the attempt failed
     * @throws HoldfastClosedException if the client is closed before or during the call
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
     * @return completes on a worker thread, with the exceptions of {@link #acquire(Duration)} as causes. Cancelling the future, or failing it as
     *     {@link CompletableFuture#orTimeout} does, ends the attempt. The client releases a lease that the nodes granted at the same moment.
     * @throws IllegalArgumentException if {@code wait} is negative
     * @throws HoldfastClosedException if the client is closed
     */
    CompletableFuture<Lease> acquireAsync(Duration wait);

    /** Acquires the lock as {@link #acquireAsync} does, and completes with a refusal as a value. */
    CompletableFuture<Acquisition> tryAcquireAsync(Duration wait);

    /**
     * Continues a lease that another client of the same nodes has {@linkplain Lease#share shared}, or that this client has. Both clients may use the lease: each
     * extension counts, and a release by one of them ends it for both. The token stays the same. Sends two requests to each node. Extends the lease by no more
     * than the time that these requests take.
     *
     * <p>Adopts with this lock's name, mode and ttl, which should be those of the lease. The caller must make sure that the lease's holder agrees: every client
     * that can see the nodes can make this text.
     *
     * @param adoption the text that {@link Lease#share} has returned to a client of the same nodes, in the same order
     * @return completes on a worker thread with the lease. Fails with a {@link LeaseLostException} if a majority of nodes has no vote for the lease. Fails
     *     with a {@link NoQuorumException} if fewer nodes than a majority confirm it; then the lease may still be valid. Fails with a {@link
     *     HoldfastClosedException} if the client is closed meanwhile, and with an {@link IllegalArgumentException} if the lease lasts longer than the client's
     *     {@link dev.holdfast.HoldfastBuilder#fenceRetention}.
     * @throws IllegalArgumentException if {@code adoption} is not such a text
     * @throws HoldfastClosedException if the client is closed
     */
    CompletableFuture<Lease> adoptAsync(String adoption);

    /**
     * Returns whether this client knows that the calling thread holds this lock in a mode that conflicts with this object's mode. The client knows
     * this if the thread runs under {@link #run}, {@link #call}, {@code call} of a recipe or a leadership, or has locked a view. A lease from {@link
     * #acquire(Duration)} is not bound to a thread, so it does not count. Sends nothing.
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
     * Acquires the lock, does the work, and releases the lock however the work ends. If the lease is lost during the work, the client interrupts the
     * running thread. During the work, {@link dev.holdfast.Holdfast#currentLease} returns the lease.
     *
     * @throws LeaseLostException if the lease was lost during the work, unless the work threw another exception; it replaces an
     *     {@link InterruptedException} that the loss caused
     * @throws E the exception of the work, unchanged
     * @throws InterruptedException under the conditions of {@link #acquire(Duration)}
     */
    <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException;

    // ---- views for java.util.concurrent

    /**
     * Returns a view of this lock for code that takes a {@link java.util.concurrent.locks.Lock}. In one view, each thread is a separate holder.
     * {@link ThreadLock} lists the properties that this interface cannot express.
     */
    ThreadLock asLock();

    /** Returns a view as {@link #asLock} does. A thread that holds the lock may lock it again, and the last unlock releases it. */
    ThreadLock asReentrantLock();

    /** Returns a view with readers in mode {@link LockMode#PR} and a writer in mode {@link LockMode#EX}. The mode of this lock does not matter. */
    ThreadReadWriteLock asReadWriteLock();

    /**
     * Returns a view as {@link #asReadWriteLock} does. A reading thread may lock the reading part again, and a writing thread may lock the writing
     * part again.
     */
    ThreadReadWriteLock asReentrantReadWriteLock();

    // ---- looking

    /**
     * Asks every node for the state of this lock, as {@link dev.holdfast.HoldfastAdmin#status} does. The answer is for people: the state may have
     * changed before the caller reads it.
     */
    LockStatus status() throws InterruptedException;

    /** Asks every node for the state of this lock, as {@link #status} does, without blocking. The future completes on a worker thread. */
    CompletableFuture<LockStatus> statusAsync();
}
