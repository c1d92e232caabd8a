package dev.holdfast.benchmarks.side;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A client of Redisson's locks on one server, with its default settings; its watchdog extends them. */
final class RedissonLockClient implements LockClient {

    /** The kinds of Redisson's locks. */
    enum Kind {
        PLAIN,
        FAIR,
        FENCED
    }

    private final RedissonClient client;
    private final Kind kind;
    private final AtomicLong owners = new AtomicLong(1_000_000);

    private RedissonLockClient(RedissonClient client, Kind kind) {
        this.client = client;
        this.kind = kind;
    }

    static RedissonLockClient connect(List<String> nodes, ClientOptions options, Kind kind) {
        if (nodes.size() != 1) {
            throw new IllegalArgumentException(nodes.size() + " nodes, but this lock lives on one");
        }
        return new RedissonLockClient(connect(nodes.get(0), options), kind);
    }

    static RedissonClient connect(String node, ClientOptions options) {
        Config config = new Config();
        config.useSingleServer().setAddress(node);
        if (options.ttlMillis() > 0) {
            config.setLockWatchdogTimeout(options.ttlMillis());
        }
        return Redisson.create(config);
    }

    private RLock redissonLock(String name) {
        return switch (kind) {
            case PLAIN -> client.getLock(name);
            case FAIR -> client.getFairLock(name);
            case FENCED -> client.getFencedLock(name);
        };
    }

    @Override
    public NamedLock lock(String name) {
        return of(redissonLock(name));
    }

    @Override
    public NamedLock readLock(String name) {
        return of(client.getReadWriteLock(name).readLock());
    }

    @Override
    public NamedLock writeLock(String name) {
        return of(client.getReadWriteLock(name).writeLock());
    }

    /**
     * Returns the lock for waiters without a thread. Redisson identifies an owner by a thread's id, so each waiter gets
     * an id that no thread has.
     */
    @Override
    public AsyncLock asyncLock(String name) {
        RLock lock = redissonLock(name);
        return whenHeld -> {
            long owner = owners.incrementAndGet();
            RFuture<Void> future = lock.lockAsync(owner);
            future.thenAccept(
                    held -> whenHeld.accept(then -> lock.unlockAsync(owner).thenRun(then)));
            return future;
        };
    }

    /** Returns a lock with the same handle for every turn: {@code unlock} is the lock's own method. */
    static NamedLock of(RLock lock) {
        NamedLock.Held held = lock::unlock;
        return () -> {
            lock.lockInterruptibly();
            return held;
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
