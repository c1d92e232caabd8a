package dev.holdfast.lock;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A view of a distributed lock for code that takes a {@link Lock}: each thread that holds it has a lease of its own. Thread-safe. Threads of one process
 * exclude each other through one view or through several.
 *
 * <p>What {@link Lock} cannot express:
 *
 * <ul>
 *   <li><b>A lease can be lost.</b> {@link #unlock} then throws a {@link LeaseLostException}, so that the work does not appear to have
 *       succeeded. During the work, {@link #lease} gives access to {@link Lease#isHeld}, {@link Lease#onLost} and the fencing token, without which the
 *       resource is not safe.
 *   <li><b>Nodes can be unreachable.</b> {@link #lock} and {@link #tryLock} throw what {@link DistributedLock#acquire(Duration)} throws if no
 *       majority answers.
 *   <li><b>Conditions</b> are not supported.
 *   <li>The holder is a thread, so its lease cannot be passed on. A lease from {@link DistributedLock#acquire(Duration)} can.
 * </ul>
 */
public interface ThreadLock extends Lock {

    /** Returns the lease of the calling thread; empty if it holds none. */
    Optional<Lease> lease();

    /**
     * Acquires the lock without a limit to the wait; an interrupt does not end the wait, and stays visible.
     *
     * @throws IllegalMonitorStateException if the thread holds it already and this is not a reentrant view
     * @throws SelfDeadlockException if the thread holds it by other means than this view
     */
    @Override
    void lock();

    /** Acquires the lock as {@link #lock} does; an interrupt ends the wait, and nothing stays locked. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Acquires the lock if it is free now, and returns whether it has. Blocks for a round trip, a node timeout at most; an interrupt does not end that, and stays visible. */
    @Override
    boolean tryLock();

    /** Acquires the lock, waiting for up to this time, and returns whether it has. A negative time is 0. */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Releases the lock; in a reentrant view, the last unlock does.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws LeaseLostException if the lease had ended before; the thread holds nothing any more
     */
    @Override
    void unlock();

    /**
     * Not supported: a signal on one machine cannot wake a waiter on another through {@link Lock}.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
