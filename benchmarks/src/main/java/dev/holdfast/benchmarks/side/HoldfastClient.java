package dev.holdfast.benchmarks.side;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import java.util.List;

/** Holdfast with its default settings. */
final class HoldfastClient implements LockClient {

    private final Holdfast holdfast;

    HoldfastClient(List<String> nodes) {
        holdfast = Holdfast.builder().nodes(nodes).connect();
    }

    @Override
    public NamedLock lock(String name) {
        DistributedLock lock = holdfast.lock(name);
        return () -> lock.acquire()::close;
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
