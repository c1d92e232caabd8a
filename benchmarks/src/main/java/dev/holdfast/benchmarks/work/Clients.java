package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.LockClient;
import dev.holdfast.benchmarks.side.Side;
import java.util.ArrayList;
import java.util.List;

/** The clients of a worker process, all of one side, connected when they are needed first. Not thread-safe. */
public final class Clients implements AutoCloseable {

    private final Side side;
    private final List<String> nodes;
    private final List<LockClient> clients = new ArrayList<>();

    public Clients(Side side, List<String> nodes) {
        this.side = side;
        this.nodes = List.copyOf(nodes);
    }

    /** The one that most programs have. */
    public LockClient first() {
        return number(0);
    }

    /** Any, from 0. */
    public LockClient number(int index) {
        while (clients.size() <= index) {
            clients.add(side.connect(nodes));
        }
        return clients.get(index);
    }

    @Override
    public void close() {
        clients.forEach(LockClient::close);
        clients.clear();
    }
}
