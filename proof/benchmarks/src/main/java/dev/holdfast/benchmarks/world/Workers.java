package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A worker for each of several sides. The pool ends those that scenarios share; this object ends the rest. */
public final class Workers implements AutoCloseable {

    private final Map<Side, Worker> workers = new EnumMap<>(Side.class);
    private final List<Worker> own = new ArrayList<>();

    private Workers() {}

    /** Returns new workers. */
    public static Workers start(WorkerPool pool, List<Side> sides, ClientOptions options, List<String> nodes) {
        Workers started = new Workers();
        try {
            for (Side side : sides) {
                Worker worker = pool.start(side, options, nodes);
                started.workers.put(side, worker);
                started.own.add(worker);
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Returns the shared workers of the pool. */
    public static Workers shared(WorkerPool pool, List<Side> sides, List<String> nodes) {
        Workers shared = new Workers();
        sides.forEach(side -> shared.workers.put(side, pool.shared(side, nodes)));
        return shared;
    }

    /** Returns the worker of a side. */
    public Worker of(Side side) {
        Worker worker = workers.get(side);
        if (worker == null) {
            throw new IllegalArgumentException(side + " was not started");
        }
        return worker;
    }

    @Override
    public void close() {
        own.forEach(Worker::end); // all at once, since some take seconds to end
        own.forEach(Worker::close);
    }
}
