package dev.holdfast.benchmarks.side;

import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks on one server, with its default settings; they are extended by its watchdog. */
final class RedissonLockClient implements LockClient {

    /** Its kinds of locks. */
    enum Kind {
        PLAIN {
            @Override
            RLock lock(RedissonClient client, String name) {
                return client.getLock(name);
            }
        },
        FAIR {
            @Override
            RLock lock(RedissonClient client, String name) {
                return client.getFairLock(name);
            }
        },
        FENCED {
            @Override
            RLock lock(RedissonClient client, String name) {
                return client.getFencedLock(name);
            }
        };

        abstract RLock lock(RedissonClient client, String name);
    }

    private final RedissonClient client;
    private final Kind kind;

    private RedissonLockClient(RedissonClient client, Kind kind) {
        this.client = client;
        this.kind = kind;
    }

    static RedissonLockClient connect(List<String> nodes, Kind kind) {
        if (nodes.size() != 1) {
            throw new IllegalArgumentException(nodes.size() + " nodes, but this lock lives on one");
        }
        return new RedissonLockClient(connect(nodes.get(0)), kind);
    }

    static RedissonClient connect(String node) {
        Config config = new Config();
        config.useSingleServer().setAddress(node);
        return Redisson.create(config);
    }

    @Override
    public NamedLock lock(String name) {
        RLock lock = kind.lock(client, name);
        return of(lock);
    }

    /** With the same handle for every turn: {@code unlock} is the lock's own method. */
    static NamedLock of(RLock lock) {
        NamedLock.Held held = lock::unlock;
        return () -> {
            lock.lock();
            return held;
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
