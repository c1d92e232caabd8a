package dev.holdfast.spring.integration;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.spring.integration.RegistryLocks.Holder;
import dev.holdfast.spring.integration.RegistryLocks.Holding;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;

/**
 * A lock of a lock registry. Each thread that holds it has its own lease. Thread-safe and stateless: two instances with the same key
 * are one lock.
 *
 * <p>{@link #lock} and the other lock methods throw a {@link CannotAcquireLockException} if the nodes cannot be reached, or if a thread re-enters a
 * lock that it has lost in the meantime.
 */
public class HoldfastLock implements Lock {

    private final RegistryLocks registry;
    private final String key;
    private final DistributedLock lock;

    HoldfastLock(RegistryLocks registry, String key) {
        this.registry = registry;
        this.key = key;
        this.lock = registry.lock(key);
    }

    private Holder holder() {
        return new Holder(key, Thread.currentThread());
    }

    /** Returns the current thread's lease, with its fencing token; empty if it holds none. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(registry.holdings().get(holder())).map(holding -> holding.lease);
    }

    // ---- locking

    @Override
    public void lock() {
        lockUninterruptibly(lock);
    }

    /** Acquires the lock as {@link #lock()} does, with the given ttl. */
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

    /** Acquires the lock if it is free or this thread already holds it. If interrupted, returns false and keeps the interrupt status. */
    @Override
    public boolean tryLock() {
        try {
            return tryLock(0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Acquires the lock if it becomes free within the given time. Returns false, too, if this thread held the lock before and has lost it; the thread
     * then no longer holds it.
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(Math.max(time, 0))), lock);
    }

    /** Acquires the lock as {@link #tryLock(long, TimeUnit)} does, with the given ttl. */
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

    /** Re-enters the lock. A lost lease is dropped, so that a caller that retries, such as a leader, learns of the loss and can then acquire the lock again. */
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
     * Releases the lock on this thread's last unlock.
     *
     * @throws IllegalStateException if this thread does not hold the lock
     * @throws ConcurrentModificationException if the lease was lost before; the thread then holds nothing
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
                    + "' was lost before it was unlocked. Another holder may have changed the protected resource.");
        }
    }

    /**
     * Extends this thread's lease now.
     *
     * @param ttl how long from now; null for the lock's own ttl
     * @throws IllegalStateException if the current thread does not hold the lock, or the extension failed
     */
    public void renew(@Nullable Duration ttl) {
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

    /** Throws an exception: conditions are not supported. */
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
