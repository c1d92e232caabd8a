package dev.holdfast.internal.thread;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.ThreadLock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A {@link ThreadLock} over a lock. It counts how many times each thread has locked it. */
public final class ThreadLockView implements ThreadLock {

    private final DistributedLock lock;
    private final boolean reentrant;
    private final Map<Thread, Holding> holdings = new ConcurrentHashMap<>();
    private @Nullable ThreadLockView other; // the other side of a read-write lock

    /** One thread's hold of the lock. Only that thread changes it. */
    private static final class Holding {

        final Lease lease;
        int times = 1;

        Holding(Lease lease) {
            this.lease = lease;
        }
    }

    /** Creates the view for {@link DistributedLock#asLock} and {@link DistributedLock#asReentrantLock}. */
    public ThreadLockView(DistributedLock lock, boolean reentrant) {
        this.lock = lock;
        this.reentrant = reentrant;
    }

    /** Makes two views the two sides of a read-write lock: a thread that holds one side would wait for itself at the other. */
    static void pair(ThreadLockView read, ThreadLockView write) {
        read.other = write;
        write.other = read;
    }

    @Override
    public Optional<Lease> lease() {
        return Optional.ofNullable(holdings.get(Thread.currentThread())).map(holding -> holding.lease);
    }

    /** Returns whether the current thread has locked this view, whether or not its lease is still valid. */
    private boolean isLockedByThisThread() {
        return holdings.containsKey(Thread.currentThread());
    }

    @Override
    public void lock() {
        Await.uninterruptibly(() -> {
            lockInterruptibly();
            return Boolean.TRUE;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!enterAgain()) {
            hold(lock.acquire());
        }
    }

    @Override
    public boolean tryLock() {
        return (other == null || !other.isLockedByThisThread())
                && Await.uninterruptibly(() -> tryLock(0, TimeUnit.NANOSECONDS));
    }

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
        if (other != null && other.isLockedByThisThread()) {
            throw new IllegalMonitorStateException(
                    "this thread holds " + other + ", and would wait for itself if it asked for " + this);
        }
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

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "ThreadLock[" + lock.name() + ", " + lock.mode() + (reentrant ? ", reentrant]" : "]");
    }
}
