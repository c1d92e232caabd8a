package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import java.time.Duration;
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

    private final RegistryLocks locks;

    /** A lock of this registry, with the interface that Spring Integration 7 has for it. */
    public static final class RegisteredLock extends HoldfastLock
            implements org.springframework.integration.support.locks.DistributedLock {

        RegisteredLock(RegistryLocks registry, String key) {
            super(registry, key);
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
        locks = new RegistryLocks(holdfast, registryKey, ttl);
    }

    /** Returns the lock with this key, which must be a {@code String}. */
    @Override
    public RegisteredLock obtain(Object lockKey) {
        return new RegisteredLock(locks, RegistryLocks.key(lockKey));
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
        return "HoldfastLockRegistry[" + locks.registryKey() + "]";
    }
}
