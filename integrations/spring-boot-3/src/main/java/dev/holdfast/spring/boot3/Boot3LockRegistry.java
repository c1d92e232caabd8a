package dev.holdfast.spring.boot3;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.integration.HoldfastLock;
import dev.holdfast.spring.integration.RegistryLocks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/**
 * A lock registry for Spring Integration 6, with the locks of {@link dev.holdfast.spring.integration.HoldfastLockRegistry}, which is for version 7. Thread-safe.
 */
public final class Boot3LockRegistry implements RenewableLockRegistry, ExpirableLockRegistry {

    private final RegistryLocks locks;

    /**
     * Creates a registry whose locks have the client's ttl.
     *
     * @param registryKey the part before the colon in the locks' names; registries with the same key share their locks
     */
    public Boot3LockRegistry(Holdfast holdfast, String registryKey) {
        this(holdfast, registryKey, null);
    }

    /**
     * Creates a registry of the client's locks.
     *
     * @param registryKey the part before the colon in the locks' names; registries with the same key share their locks
     * @param ttl how long the nodes keep a lock whose holder died, 50 ms to 24 h; null for the client's ttl
     */
    public Boot3LockRegistry(Holdfast holdfast, String registryKey, @Nullable Duration ttl) {
        locks = new RegistryLocks(holdfast, registryKey, ttl);
    }

    /** Returns the lock with this key, which must be a {@code String}. */
    @Override
    public HoldfastLock obtain(Object lockKey) {
        return locks.obtain(lockKey);
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

    /** Does nothing: locks are extended automatically, without a scheduler. */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {}

    /** Does nothing: the registry keeps no state for locks that are not held. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    @Override
    public String toString() {
        return "Boot3LockRegistry[" + locks.registryKey() + "]";
    }
}
