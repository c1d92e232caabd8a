package dev.holdfast.recipe;

import dev.holdfast.Acquisition;
import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Refusal;
import dev.holdfast.ReleaseOutcome;
import dev.holdfast.SelfDeadlockException;
import dev.holdfast.lease.ThreadLeases;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
public final class ThreadLock implements Lock {

    private final DistributedLock lock;
    private final boolean reentrant;
    private final Map<Thread, Holding> holdings = new ConcurrentHashMap<>();

    /** Changed by its thread only. */
    private static final class Holding {

        final Lease lease;
        int times = 1;

        Holding(Lease lease) {
            this.lease = lease;
        }
    }

    /** Made by {@link DistributedLock#asLock} and {@link DistributedLock#asReentrantLock}. */
    public ThreadLock(DistributedLock lock, boolean reentrant) {
        this.lock = lock;
        this.reentrant = reentrant;
    }

    /** The lease of the current thread; empty if it holds none. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(holdings.get(Thread.currentThread())).map(holding -> holding.lease);
    }

    /** Whether the current thread has locked this, be its lease valid or lost. */
    boolean isLockedByThisThread() {
        return holdings.containsKey(Thread.currentThread());
    }

    /**
     * Waits for as long as it takes; an interrupt does not end that, and stays visible.
     *
     * @throws IllegalMonitorStateException if the thread holds it already and this is not a reentrant view
     * @throws SelfDeadlockException if the thread holds it by other means than this view
     */
    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As {@link #lock}, but an interrupt ends the wait; nothing stays locked then. */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!enterAgain()) {
            hold(lock.acquire());
        }
    }

    /** Whether it was free, or this thread's already; asks the nodes once. An interrupt does not end that, and stays visible. */
    @Override
    public boolean tryLock() {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return tryLock(0, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether it could be had within that time; less than 0 is 0. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (enterAgain()) {
            return true;
        }
        Acquisition acquisition = lock.tryAcquire(Duration.ofNanos(unit.toNanos(Math.max(time, 0))));
        if (acquisition instanceof Acquisition.Refused no && no.refusal().reason() == Refusal.Reason.HELD) {
            return false;
        }
        hold(acquisition.lease());
        return true;
    }

    private boolean enterAgain() {
        Holding holding = holdings.get(Thread.currentThread());
        if (holding == null) {
            return false;
        }
        if (!reentrant) {
            throw new IllegalMonitorStateException(
                    "this thread holds '" + lock.name() + "' already, and would wait for itself; use a reentrant view");
        }
        holding.lease.ensureHeld();
        holding.times++;
        return true;
    }

    private void hold(Lease lease) {
        holdings.put(Thread.currentThread(), new Holding(lease));
        ThreadLeases.add(lease);
    }

    /**
     * Releases it, by the thread that holds it; a reentrant view with the last unlock.
     *
     * @throws IllegalMonitorStateException if this thread does not hold it
     * @throws LeaseLostException if the lease ended before; the thread holds nothing any more
     */
    @Override
    public void unlock() {
        Holding holding = holdings.get(Thread.currentThread());
        if (holding == null) {
            throw new IllegalMonitorStateException("this thread does not hold '" + lock.name() + "'");
        }
        if (--holding.times == 0) {
            holdings.remove(Thread.currentThread());
            ThreadLeases.remove(holding.lease);
            if (holding.lease.release() == ReleaseOutcome.EXPIRED) {
                throw new LeaseLostException("lease of '" + lock.name() + "' ended before it was unlocked");
            }
        }
    }

    /** There are none: a waiter on one machine can't be woken by a signal on another through {@link Lock}. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "ThreadLock[" + lock.name() + ", " + lock.mode() + (reentrant ? ", reentrant]" : "]");
    }
}
