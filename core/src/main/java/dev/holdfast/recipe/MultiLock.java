package dev.holdfast.recipe;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockSealedException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.SelfDeadlockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Several locks that are acquired together: all of them or none. Every client acquires them one after the other in the order of their names, so
 * clients that want some of the same locks never wait for each other in a circle. The client extends the leases it already has while it waits for the
 * rest, and releases them if it does not get the rest.
 *
 * <p>The order of names is that of their UTF-16 code units. Code that holds a lock and then acquires a set with a smaller name can still close such a
 * circle, which lasts until the attempt with the shortest wait gives up.
 *
 * <p>A set is an immutable, thread-safe value; {@link dev.holdfast.Holdfast#locks} creates it.
 */
public interface MultiLock {

    /** Work under several locks, without a result. */
    @FunctionalInterface
    interface Action<E extends Exception> {

        /** Does the work under all of the leases. */
        void run(MultiLease leases) throws E;
    }

    /** Work under several locks, with a result. */
    @FunctionalInterface
    interface Task<T extends @Nullable Object, E extends Exception> {

        /** Does the work under all of the leases. */
        T call(MultiLease leases) throws E;
    }

    /** Returns the locks, in the order in which they are acquired. */
    List<DistributedLock> locks();

    /**
     * Returns the same set with changed options of each lock, as in {@code locks.options(o -> o.ttl(ttl))}.
     *
     * @throws IllegalArgumentException as {@link DistributedLock#options(LockOptions)}
     */
    MultiLock options(UnaryOperator<LockOptions> change);

    /** Returns the same set with another {@linkplain LockOptions#ttl(Duration) ttl} of each lock, 50 ms to 24 h. */
    default MultiLock ttl(Duration ttl) {
        return options(options -> options.ttl(ttl));
    }

    /**
     * Acquires all locks, waiting for up to {@code wait} in all; they are held on return.
     *
     * @param wait 0 or more; {@link DistributedLock#FOREVER} for no limit
     * @throws LockTimeoutException if another client held one of them, or was ahead in its queue, until the wait ended
     * @throws NoQuorumException if fewer nodes than a majority gave an answer that counts
     * @throws LockSealedException if the work of one of them was declared done
     * @throws HoldfastClosedException if the client is closed before the call or during the wait
     * @throws SelfDeadlockException if {@code wait} is not 0 and the thread {@linkplain DistributedLock#isHeldByThisThread holds} one of them
     * @throws InterruptedException if the thread is interrupted; nothing stays locked
     */
    default MultiLease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).leases();
    }

    /** Acquires all locks without a limit to the wait; see {@link #acquire(Duration)} and {@link DistributedLock#acquire()}. */
    default MultiLease acquire() throws InterruptedException {
        return acquire(DistributedLock.FOREVER);
    }

    /** Acquires all locks if they are free now. Blocks for one round trip per lock, each a node timeout at most. */
    default MultiAcquisition tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /** Acquires all locks as {@link #acquire(Duration)} does, and returns a refusal as a value instead of throwing it. */
    MultiAcquisition tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Acquires all locks as {@link #acquire(Duration)} does, without blocking.
     *
     * @return completes on a worker thread, with the exceptions of {@link #acquire(Duration)} as causes. Cancelling it, or failing it as
     *     {@link CompletableFuture#orTimeout} does, ends the attempt and releases what it has acquired.
     */
    CompletableFuture<MultiLease> acquireAsync(Duration wait);

    /** Acquires all locks as {@link #acquireAsync} does, with a refusal as a value. */
    CompletableFuture<MultiAcquisition> tryAcquireAsync(Duration wait);

    /** Does work under all locks, as {@link #call} does, without a result. */
    default <E extends Exception> void run(Duration wait, Action<E> action) throws E, InterruptedException {
        call(wait, leases -> {
            action.run(leases);
            return Boolean.TRUE;
        });
    }

    /**
     * Acquires all locks, does the work, and releases them, however the work ends. The client interrupts the running thread if a lease is lost during
     * the work.
     *
     * @throws LeaseLostException if a lease was lost during the work, unless the work threw another exception; it replaces an {@link
     *     InterruptedException} that the loss caused
     * @throws E what the work throws, unchanged
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
    <T extends @Nullable Object, E extends Exception> T call(Duration wait, Task<T, E> task)
            throws E, InterruptedException;
}
