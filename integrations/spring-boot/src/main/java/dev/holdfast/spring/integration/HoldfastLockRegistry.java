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
 * A lock registry for Spring Integration that replaces its {@code RedisLockRegistry}. Its locks are reentrant, have threads as holders, and throw the
 * same exceptions as those of the {@code RedisLockRegistry}. Thread-safe. The locks' names are {@code registryKey:lockKey}.
 *
 * <p>It differs from {@code RedisLockRegistry} in four ways. Waiters queue instead of polling. A lock is extended while it is held, without a
 * scheduler. {@link HoldfastLock#lease} has the fencing token. The registry keeps no state for locks that are not held.
 */
public final class HoldfastLockRegistry
        implements RenewableLockRegistry<org.springframework.integration.support.locks.DistributedLock>,
                ExpirableLockRegistry<org.springframework.integration.support.locks.DistributedLock> {

    private final Holdfast holdfast;
    private final String registryKey;
    private final @Nullable Duration ttl;
    private final Map<Holder, Holding> holdings = new ConcurrentHashMap<>();

    /** A thread as the holder of one lock. */
    record Holder(String key, Thread thread) {}

    /** The lease of a holder. Only the holder's thread changes it. */
    static final class Holding {

        final Lease lease;
        int times = 1;

        Holding(Lease lease) {
            this.lease = lease;
        }
    }

    /** Creates a registry whose locks have the client's ttl. */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey) {
        this(holdfast, registryKey, null);
    }

    /**
     * Creates a registry of the client's locks.
     *
     * @param registryKey the part before the colon in the locks' names; registries with the same key share their locks
     * @param ttl how long the nodes keep a lock whose holder died, 50 ms to 24 h; null for the client's ttl
     */
    public HoldfastLockRegistry(Holdfast holdfast, String registryKey, @Nullable Duration ttl) {
        if (registryKey.isBlank()) {
            throw new IllegalArgumentException("registryKey is blank, but must name this registry");
        }
        this.holdfast = holdfast;
        this.registryKey = registryKey;
        this.ttl = ttl;
        lock("key"); // rejects at once a key that would make every lock's name invalid
    }

    DistributedLock lock(String key) {
        DistributedLock lock = holdfast.lock(registryKey + ":" + key);
        return ttl == null ? lock : lock.ttl(ttl);
    }

    Map<Holder, Holding> holdings() {
        return holdings;
    }

    /** Returns the lock with this key, which must be a {@code String}. */
    @Override
    public HoldfastLock obtain(Object lockKey) {
        if (lockKey instanceof String key) {
            return new HoldfastLock(this, key, lock(key));
        }
        throw new IllegalArgumentException("lockKey is of " + lockKey.getClass() + ", but must be a String");
    }

    /**
     * Extends the lock for its whole ttl now. This is rarely needed, because locks are extended automatically.
     *
     * @throws IllegalStateException if the current thread does not hold the lock, or the extension failed
     */
    @Override
    public void renewLock(Object lockKey) {
        obtain(lockKey).renew(null);
    }

    /** Extends the lock as {@link #renewLock(Object)} does, for the given ttl. */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        obtain(lockKey).renew(ttl);
    }

    /** Does nothing: locks are extended automatically, without a scheduler. */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {}

    /** Does nothing: the registry keeps no state for locks that are not held. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + registryKey + "]";
    }
}
