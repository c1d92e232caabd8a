package dev.holdfast.spring.integration;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.spring.integration.HoldfastLockRegistry.Holder;
import dev.holdfast.spring.integration.HoldfastLockRegistry.Holding;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;

/**
 * One lock of a {@link HoldfastLockRegistry}; each thread that has it holds a lease of its own. Thread-safe, and without state: two of the same key
 * are one lock.
 *
 * <p>Where the nodes can't be reached, and where a thread locks again what it has lost meanwhile, {@link #lock} and its kin throw a
 * {@link CannotAcquireLockException}.
 */
public final class HoldfastLock implements org.springframework.integration.support.locks.DistributedLock {

    private final HoldfastLockRegistry registry;
    private final String key;
    private final DistributedLock lock;

    HoldfastLock(HoldfastLockRegistry registry, String key, DistributedLock lock) {
        this.registry = registry;
        this.key = key;
        this.lock = lock;
    }

    private Holder holder() {
        return new Holder(key, Thread.currentThread());
    }

    /** Returns the lease of the current thread, with the fencing token; empty if it holds none. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(registry.holdings().get(holder())).map(holding -> holding.lease);
    }

    // ---- locking

    @Override
    public void lock() {
        lockUninterruptibly(lock);
    }

    @Override
    public void lock(Duration ttl) {
        lockUninterruptibly(lock.ttl(ttl));
    }

    private void lockUninterruptibly(DistributedLock wanted) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly(wanted);
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

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly(lock);
    }

    private void lockInterruptibly(DistributedLock wanted) throws InterruptedException {
        if (!tryLock(DistributedLock.FOREVER, wanted)) {
            throw new CannotAcquireLockException("lock '" + lock.name() + "' was lost before it was locked again");
        }
    }

    /** Whether it was free, or this thread's already; an interrupt says no, and stays visible. */
    @Override
    public boolean tryLock() {
        try {
            return tryLock(0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether it could be had within that time; not if this thread had it already and has lost it, which it then holds no longer. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(Math.max(time, 0))), lock);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(waitTime.isNegative() ? Duration.ZERO : waitTime, lock.ttl(ttl));
    }

    private boolean tryLock(Duration wait, DistributedLock wanted) throws InterruptedException {
        Holding holding = registry.holdings().get(holder());
        if (holding != null) {
            return lockAgain(holding);
        }
        try {
            Acquisition acquisition = wanted.tryAcquire(wait);
            if (acquisition instanceof Acquisition.Refused no && no.refusal().reason() == Refusal.Reason.HELD) {
                return false;
            }
            registry.holdings().put(holder(), new Holding(acquisition.lease()));
            return true;
        } catch (HoldfastException e) {
            throw new CannotAcquireLockException("Failed to lock '" + lock.name() + "'", e);
        }
    }

    /** What was lost is held no longer, so that whoever asks again and again, as a leader does, learns of it and may begin anew. */
    private boolean lockAgain(Holding holding) {
        if (holding.lease.isHeld()) {
            holding.times++;
            return true;
        }
        registry.holdings().remove(holder());
        holding.lease.releaseAsync();
        return false;
    }

    // ---- unlocking

    /**
     * Releases it, with the last unlock of this thread.
     *
     * @throws IllegalStateException if this thread does not hold it
     * @throws ConcurrentModificationException if it was lost before; this thread holds nothing any more
     */
    @Override
    public void unlock() {
        Holding holding = registry.holdings().get(holder());
        if (holding == null) {
            throw new IllegalStateException("You do not own lock '" + lock.name() + "'");
        }
        if (--holding.times > 0) {
            return;
        }
        registry.holdings().remove(holder());
        if (holding.lease.release() == ReleaseOutcome.EXPIRED) {
            throw new ConcurrentModificationException("Lock '" + lock.name()
                    + "' was lost before it was unlocked. What it protects may have been changed by another.");
        }
    }

    void renew(@Nullable Duration ttl) {
        Lease lease = lease().orElseThrow(() ->
                new IllegalStateException("Could not renew '" + lock.name() + "': this thread does not hold it"));
        ExtendOutcome outcome = extended(lease, ttl == null ? lock.ttl() : ttl);
        if (outcome != ExtendOutcome.EXTENDED) {
            throw new IllegalStateException("Could not renew '" + lock.name() + "': " + outcome);
        }
    }

    private ExtendOutcome extended(Lease lease, Duration ttl) {
        try {
            return lease.extend(ttl);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Could not renew '" + lock.name() + "': interrupted", e);
        }
    }

    /** There are none. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Conditions are not supported");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HoldfastLock same && same.registry == registry && same.key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return "HoldfastLock[" + lock.name() + "]";
    }
}
