package dev.holdfast.benchmarks.side;

import java.util.List;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** A client of Redisson's Redlock, with its default settings: a client for each server. */
final class RedissonRedlockClient implements LockClient {

    private final List<RedissonClient> clients;

    RedissonRedlockClient(List<String> nodes, ClientOptions options) {
        clients = nodes.stream()
                .map(node -> RedissonLockClient.connect(node, options))
                .toList();
    }

    /**
     * Returns the Redlock. Redisson deprecates it in favour of a lock on one server, but only this lock promises what
     * Redlock does.
     */
    @Override
    @SuppressWarnings("deprecation")
    public NamedLock lock(String name) {
        return RedissonLockClient.of(new RedissonRedLock(
                clients.stream().map(client -> client.getLock(name)).toArray(RLock[]::new)));
    }

    @Override
    public void close() {
        clients.forEach(RedissonClient::shutdown);
    }
}
