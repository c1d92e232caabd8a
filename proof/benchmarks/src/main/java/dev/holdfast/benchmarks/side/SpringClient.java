package dev.holdfast.benchmarks.side;

import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * A client of Spring Integration's {@link RedisLockRegistry}. Publish and subscribe notifies its waiters, so they need
 * not poll every 100 ms. All other settings are the defaults, which extend nothing.
 */
final class SpringClient implements LockClient {

    private static final String KEY = "spring";

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    SpringClient(List<String> nodes, ClientOptions options) {
        URI node = URI.create(nodes.get(0));
        connections = new LettuceConnectionFactory(node.getHost(), node.getPort());
        connections.afterPropertiesSet();
        connections.start();
        registry = options.ttlMillis() > 0
                ? new RedisLockRegistry(connections, KEY, options.ttlMillis())
                : new RedisLockRegistry(connections, KEY);
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public NamedLock lock(String name) {
        Lock lock = registry.obtain(name);
        NamedLock.Held held = lock::unlock;
        return () -> {
            lock.lockInterruptibly();
            return held;
        };
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
