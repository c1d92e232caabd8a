package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.LockClient;
import dev.holdfast.benchmarks.side.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The clients of a worker process, all of one side, which connect at their first use. Not thread-safe. */
public final class Clients implements AutoCloseable {

    private final Side side;
    private final List<String> nodes;
    private final ClientOptions options;
    private final List<LockClient> clients = new ArrayList<>();
    private final Queue<Object> kept = new ConcurrentLinkedQueue<>();

    public Clients(Side side, ClientOptions options, List<String> nodes) {
        this.side = side;
        this.options = options;
        this.nodes = List.copyOf(nodes);
    }

    /** Returns the first client; most programs have only one. */
    public LockClient first() {
        return number(0);
    }

    /** Returns a client by its index, from 0. */
    public LockClient number(int index) {
        while (clients.size() <= index) {
            clients.add(side.connect(nodes, options));
        }
        return clients.get(index);
    }

    /** Keeps an object reachable as long as the process lives. Thread-safe. */
    <T> T keep(T held) {
        kept.add(held);
        return held;
    }

    @Override
    public void close() {
        clients.forEach(LockClient::close);
        clients.clear();
    }
}
