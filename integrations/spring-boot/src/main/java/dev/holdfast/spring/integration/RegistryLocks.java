package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one registry and the leases of its threads, without an interface of Spring Integration: its registries differ between versions 6 and 7.
 * Thread-safe.
 */
public final class RegistryLocks {

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

    /**
     * Creates the locks of a registry.
     *
     * @param registryKey the part before the colon in the locks' names; registries with the same key share their locks
     * @param ttl how long the nodes keep a lock whose holder died, 50 ms to 24 h; null for the client's ttl
     */
    public RegistryLocks(Holdfast holdfast, String registryKey, @Nullable Duration ttl) {
        if (registryKey.isBlank()) {
            throw new IllegalArgumentException("registryKey is blank, but must name this registry");
        }
        this.holdfast = holdfast;
        this.registryKey = registryKey;
        this.ttl = ttl;
        lock("key"); // rejects at once a key that would make every lock's name invalid
    }

    /** Returns the key of a lock, which must be a {@code String}. */
    public static String key(Object lockKey) {
        if (lockKey instanceof String key) {
            return key;
        }
        throw new IllegalArgumentException("lockKey is of " + lockKey.getClass() + ", but must be a String");
    }

    /** Returns the lock with this key, which must be a {@code String}. */
    public HoldfastLock obtain(Object lockKey) {
        return new HoldfastLock(this, key(lockKey));
    }

    public String registryKey() {
        return registryKey;
    }

    DistributedLock lock(String key) {
        DistributedLock lock = holdfast.lock(registryKey + ":" + key);
        return ttl == null ? lock : lock.ttl(ttl);
    }

    Map<Holder, Holding> holdings() {
        return holdings;
    }
}
