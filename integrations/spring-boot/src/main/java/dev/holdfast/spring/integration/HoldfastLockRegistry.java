package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/**
 * Holdfast's locks for Spring Integration, in the place of its {@code RedisLockRegistry}: reentrant, one holder for each thread, with the same
 * exceptions. Thread-safe. The locks' names are {@code registryKey:lockKey}.
 *
 * <p>Other than there: waiters stand in line instead of asking again and again; a lock is extended while it is held, without a scheduler;
 * {@link HoldfastLock#lease} has the fencing token. Nothing is kept of locks that nobody holds.
 */
public final class HoldfastLockRegistry
        implements RenewableLockRegistry<org.springframework.integration.support.locks.DistributedLock>,
                ExpirableLockRegistry<org.springframework.integration.support.locks.DistributedLock> {

    private final Holdfast holdfast;
    private final String registryKey;
    private final @Nullable Duration ttl;
    private final Map<Holder, Holding> holdings = new ConcurrentHashMap<>();

    /** A thread, as the holder of one lock. */
    record Holder(String key, Thread thread) {}

    /** What it holds. Changed by that thread only. */
    static final class Holding {

        final Lease lease;
        int times = 1;

        Holding(Lease lease) {
            this.lease = lease;
        }
    }

    /** Locks with the client's ttl. */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey) {
        this(holdfast, registryKey, null);
    }

    /**
     * Locks of this client.
     *
     * @param registryKey what stands before the colon in the names of the locks; the same in all that are to exclude each other
     * @param ttl how long the nodes keep a lock whose holder died, 50 ms to 24 h; null for the client's
     */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey, @Nullable Duration ttl) {
        if (registryKey.isBlank()) {
            throw new IllegalArgumentException("registryKey is blank, but must name this registry");
        }
        this.holdfast = holdfast;
        this.registryKey = registryKey;
        this.ttl = ttl;
        lock("key"); // refuses at once what no lock could have
    }

    DistributedLock lock(String key) {
        DistributedLock lock = holdfast.lock(registryKey + ":" + key);
        return ttl == null ? lock : lock.ttl(ttl);
    }

    Map<Holder, Holding> holdings() {
        return holdings;
    }

    /** Returns the lock of this key, which must be a text. */
    @Override
    public HoldfastLock obtain(Object lockKey) {
        if (lockKey instanceof String key) {
            return new HoldfastLock(this, key, lock(key));
        }
        throw new IllegalArgumentException("lockKey is of " + lockKey.getClass() + ", but must be a String");
    }

    /**
     * Asks the nodes now to keep the lock for the whole of its ttl. Hardly ever needed, since it is extended by itself.
     *
     * @throws IllegalStateException if the current thread does not hold it, or it could not be renewed
     */
    @Override
    public void renewLock(Object lockKey) {
        obtain(lockKey).renew(null);
    }

    /** As {@link #renewLock(Object)}, for so long. */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        obtain(lockKey).renew(ttl);
    }

    /** Has nothing to do: locks are extended by themselves. */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {}

    /** Has nothing to do: nothing is kept of locks that nobody holds. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + registryKey + "]";
    }
}
