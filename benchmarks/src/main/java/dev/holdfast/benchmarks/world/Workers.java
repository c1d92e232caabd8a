package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A worker for each of several sides. */
public final class Workers implements AutoCloseable {

    private final Map<Side, Worker> workers = new EnumMap<>(Side.class);

    private Workers() {}

    /** Starts them. */
    public static Workers start(Worker.Starter starter, List<Side> sides, ClientOptions options, List<String> nodes) {
        Workers started = new Workers();
        try {
            for (Side side : sides) {
                started.workers.put(side, starter.start(side, options, nodes));
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** That of a side. */
    public Worker of(Side side) {
        Worker worker = workers.get(side);
        if (worker == null) {
            throw new IllegalArgumentException(side + " was not started");
        }
        return worker;
    }

    @Override
    public void close() {
        workers.values().forEach(Worker::end); // some take seconds to, and do nothing meanwhile
        workers.values().forEach(Worker::close);
    }
}
