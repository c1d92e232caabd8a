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
 * Starts workers, keeps those that one scenario after the other uses, so that they need to get warm once, and knows how busy compilers were. Not
 * thread-safe; its workers may be used by a thread each.
 */
public final class WorkerPool implements AutoCloseable {

    private record Place(Side side, List<String> nodes) {}

    private final Worker.Starter starter;
    private final Map<Place, Worker> shared = new LinkedHashMap<>();
    private final DoubleAccumulator compiling = new DoubleAccumulator(Math::max, 0);

    public WorkerPool(Worker.Starter starter) {
        this.starter = starter;
    }

    /** Returns a new one, which the caller ends. */
    public Worker start(Side side, ClientOptions options, List<String> nodes) {
        return new Watched(starter.start(side, options, nodes));
    }

    /** Returns the one of this side, with the defaults, for these nodes, which every scenario may use. The pool ends it. */
    public Worker shared(Side side, List<String> nodes) {
        return shared.computeIfAbsent(
                new Place(side, nodes), place -> start(place.side(), ClientOptions.DEFAULTS, place.nodes()));
    }

    /** So busy was the compiler of a process that has a turn and is no worker. */
    public void compiling(double share) {
        compiling.accumulate(share);
    }

    /** Returns how busy the busiest compiler was since this was asked last, in seconds of its threads a second. */
    public double compilingSinceAsked() {
        return compiling.getThenReset();
    }

    @Override
    public void close() {
        shared.values().forEach(Worker::end); // some take seconds to, and do nothing meanwhile
        shared.values().forEach(Worker::close);
    }

    /** Tells the pool of each answer. */
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
