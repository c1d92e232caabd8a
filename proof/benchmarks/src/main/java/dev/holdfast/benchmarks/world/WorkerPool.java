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
 * A pool that starts workers, and keeps those that several scenarios use, so that they warm up only once. It also
 * records the highest load of a JIT compiler. Not thread-safe, but each of its workers may have a thread of its own.
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

    /** Records the load of the JIT compiler in a process that is not a worker, such as a lock server, in seconds of its threads per second. */
    public void compiling(double share) {
        compiling.accumulate(share);
    }

    /** Returns the highest recorded load of a JIT compiler since the last call, in seconds of its threads per second. */
    public double compilingSinceAsked() {
        return compiling.getThenReset();
    }

    @Override
    public void close() {
        shared.values().forEach(Worker::end); // all at once, since some take seconds to end
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
