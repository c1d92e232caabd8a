package dev.holdfast.lock;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A view of a distributed lock for code that takes a {@link Lock}: each thread that holds it has a lease of its own. A view is thread-safe. Threads
 * of one process exclude each other through one view or through several.
 *
 * <p>The interface {@link Lock} cannot express some properties of a distributed lock:
 *
 * <ul>
 *   <li><b>A lease can be lost.</b> {@link #unlock} then throws a {@link LeaseLostException}, so that the work does not appear to have succeeded.
 *       During the work, {@link #lease} gives access to {@link Lease#isHeld}, {@link Lease#onLost} and the fencing token, without which the resource
 *       is not safe.
 *   <li><b>Nodes can be unreachable.</b> If no majority answers, {@link #lock} and {@link #tryLock} throw the same exception as
 *       {@link DistributedLock#acquire(Duration)}.
 *   <li><b>Conditions</b> are not supported.
 *   <li>The holder is a thread, so it cannot pass its lease to another thread. A holder of a lease from {@link DistributedLock#acquire(Duration)}
 *       can.
 * </ul>
 */
public interface ThreadLock extends Lock {

    /** Returns the lease of the calling thread; empty if it holds none. */
    Optional<Lease> lease();

    /**
     * Acquires the lock without a limit to the wait. An interrupt does not end the wait, and the thread's interrupt status stays set.
     *
     * @throws IllegalMonitorStateException if the thread already holds the lock through this view, and the view is not reentrant
     * @throws SelfDeadlockException if the thread holds the lock by other means than this view
     */
    @Override
    void lock();

    /** Acquires the lock as {@link #lock} does; an interrupt ends the wait, and nothing stays locked. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Acquires the lock if it is free now, and returns whether the thread holds it. Blocks for a round trip, a node timeout at most. An interrupt
     * does not end the call, and the thread's interrupt status stays set.
     */
    @Override
    boolean tryLock();

    /** Acquires the lock, waiting for up to this time, and returns whether it succeeded. A negative time is 0. */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Releases the lock. In a reentrant view, only the last unlock releases it.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws LeaseLostException if the lease had ended before; the thread no longer holds the lock
     */
    @Override
    void unlock();

    /**
     * Throws an exception, because a signal on one machine cannot wake a waiter on another through {@link Lock}.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
