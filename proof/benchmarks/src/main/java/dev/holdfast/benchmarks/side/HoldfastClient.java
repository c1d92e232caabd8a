package dev.holdfast.benchmarks.side;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A client of Holdfast with its default settings, except for the one that names the side. */
final class HoldfastClient implements LockClient {

    private final Holdfast holdfast;
    private final UnaryOperator<DistributedLock> setting;

    HoldfastClient(List<String> nodes, ClientOptions options, UnaryOperator<DistributedLock> setting) {
        this.setting = setting;
        HoldfastBuilder builder = Holdfast.builder().nodes(nodes);
        if (options.ttlMillis() > 0) {
            builder.ttl(Duration.ofMillis(options.ttlMillis()));
        }
        holdfast = builder.connect();
    }

    @Override
    public NamedLock lock(String name) {
        return of(set(name));
    }

    @Override
    public NamedLock readLock(String name) {
        return of(set(name).shared());
    }

    @Override
    public NamedLock writeLock(String name) {
        return lock(name);
    }

    @Override
    public AsyncLock asyncLock(String name) {
        DistributedLock lock = set(name);
        return whenHeld -> {
            var future = lock.acquireAsync(DistributedLock.FOREVER);
            future.thenAccept(
                    lease -> whenHeld.accept(then -> lease.releaseAsync().thenRun(then)));
            return future;
        };
    }

    private DistributedLock set(String name) {
        return setting.apply(holdfast.lock(name));
    }

    private static NamedLock of(DistributedLock lock) {
        return () -> lock.acquire()::close;
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
