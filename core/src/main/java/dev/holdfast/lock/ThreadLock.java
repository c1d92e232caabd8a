package dev.holdfast.lock;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock for code that takes a {@link Lock}: each thread that holds it has a lease of its own. Thread-safe; threads of one process
 * that are to exclude each other may use one view or several.
 *
 * <p>What {@link Lock} cannot express:
 *
 * <ul>
 *   <li><b>A lease can be lost.</b> {@link #unlock} throws {@link LeaseLostException} then, so that the end of the work does not look like
 *       success; during the work {@link #lease} has {@link Lease#isHeld}, {@link Lease#onLost} and the fencing token, without which the
 *       resource is not safe.
 *   <li><b>Nodes can be out of reach.</b> {@link #lock} and {@link #tryLock} throw what {@link DistributedLock#acquire(Duration)} throws if no
 *       majority answers, rather than wait for ever or say "held".
 *   <li><b>Conditions</b> are not there.
 *   <li>The holder is a thread, so a lease can't be passed on; {@link DistributedLock#acquire(Duration)} can.
 * </ul>
 */
public interface ThreadLock extends Lock {

    /** The lease of the current thread; empty if it holds none. */
    Optional<Lease> lease();

    /**
     * Waits for as long as it takes; an interrupt does not end that, and stays visible.
     *
     * @throws IllegalMonitorStateException if the thread holds it already and this is not a reentrant view
     * @throws SelfDeadlockException if the thread holds it by other means than this view
     */
    @Override
    void lock();

    /** As {@link #lock}, but an interrupt ends the wait; nothing stays locked then. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Whether it was free, or this thread's already; asks the nodes once. An interrupt does not end that, and stays visible. */
    @Override
    boolean tryLock();

    /** Whether it could be had within that time; less than 0 is 0. */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Releases it, by the thread that holds it; a reentrant view with the last unlock.
     *
     * @throws IllegalMonitorStateException if this thread does not hold it
     * @throws LeaseLostException if the lease ended before; the thread holds nothing any more
     */
    @Override
    void unlock();

    /** There are none: a waiter on one machine can't be woken by a signal on another through {@link Lock}. */
    @Override
    Condition newCondition();
}
