package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;

/**
 * A pool that starts workers, and keeps those that several scenarios use, so that they warm up only once. It also knows
 * how busy compilers were. Not thread-safe, but each of its workers may have a thread of its own.
 */
public final class WorkerPool implements AutoCloseable {

    private record Place(Side side, List<String> nodes) {}

    private final Worker.Starter starter;
    private final Map<Place, Worker> shared = new LinkedHashMap<>();
    private final DoubleAccumulator compiling = new DoubleAccumulator(Math::max, 0);

    public WorkerPool(Worker.Starter starter) {
        this.starter = starter;
    }

    /** Returns a new worker, which the caller ends. */
    public Worker start(Side side, ClientOptions options, List<String> nodes) {
        return new Watched(starter.start(side, options, nodes));
    }

    /** Returns the shared worker of this side, with the defaults, for these nodes. The pool ends it. */
    public Worker shared(Side side, List<String> nodes) {
        return shared.computeIfAbsent(
                new Place(side, nodes), place -> start(place.side(), ClientOptions.DEFAULTS, place.nodes()));
    }

    /** Records how busy the compiler of a process was that has a turn and is not a worker. */
    public void compiling(double share) {
        compiling.accumulate(share);
    }

    /** Returns how busy the busiest compiler was since the last call, in seconds of its threads a second. */
    public double compilingSinceAsked() {
        return compiling.getThenReset();
    }

    @Override
    public void close() {
        shared.values().forEach(Worker::end); // some take seconds, and do nothing meanwhile
        shared.values().forEach(Worker::close);
    }

    /** A worker that reports each answer to the pool. */
    private final class Watched implements Worker {
        private final Worker worker;

        private Watched(Worker worker) {
            this.worker = worker;
        }

        @Override
        public void tell(Order order) {
            worker.tell(order);
        }

        @Override
        public Answer answer() {
            Answer answer = worker.answer();
            compiling(answer.compiling());
            return answer;
        }

        @Override
        public void kill() {
            worker.kill();
        }

        @Override
        public void end() {
            worker.end();
        }

        @Override
        public void close() {
            worker.close();
        }
    }
}
