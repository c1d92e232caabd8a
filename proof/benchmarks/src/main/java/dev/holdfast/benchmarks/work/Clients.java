package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.LockClient;
import dev.holdfast.benchmarks.side.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The clients of a worker process, all of one side, connected when they are needed first. Not thread-safe. */
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

    /** Returns the one that most programs have. */
    public LockClient first() {
        return number(0);
    }

    /** Any, from 0. */
    public LockClient number(int index) {
        while (clients.size() <= index) {
            clients.add(side.connect(nodes, options));
        }
        return clients.get(index);
    }

    /** Keeps what must not be forgotten, for as long as the process lives. Thread-safe. */
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
