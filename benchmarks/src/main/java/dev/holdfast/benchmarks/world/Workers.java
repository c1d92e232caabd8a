package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A worker process for each of several sides. */
public final class Workers implements AutoCloseable {

    private final Map<Side, WorkerProcess> workers = new EnumMap<>(Side.class);

    private Workers() {}

    /** Starts them; what they have to say besides their answers goes to {@code workers.log} in the directory. */
    public static Workers start(List<Side> sides, ClientOptions options, List<String> nodes, Path directory) {
        Workers started = new Workers();
        try {
            for (Side side : sides) {
                started.workers.put(side, WorkerProcess.start(side, options, nodes, directory.resolve("workers.log")));
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** That of a side. */
    public WorkerProcess of(Side side) {
        WorkerProcess worker = workers.get(side);
        if (worker == null) {
            throw new IllegalArgumentException(side + " was not started");
        }
        return worker;
    }

    @Override
    public void close() {
        workers.values().forEach(WorkerProcess::close);
    }
}
