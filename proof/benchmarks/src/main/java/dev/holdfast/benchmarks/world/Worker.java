package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import java.util.List;

/** Clients of one side that execute one order after the other. Not thread-safe. */
public interface Worker extends AutoCloseable {

    /** A way to start a worker for a side, with clients of these servers and these options. */
    @FunctionalInterface
    interface Starter {
        Worker start(Side side, ClientOptions options, List<String> nodes);
    }

    /** Sends an order, and returns at once; {@link #answer} must follow. */
    void tell(Order order);

    /** Returns the answer to the latest order. */
    Answer answer();

    /** Sends an order, and waits for the answer. */
    default Answer ask(Order order) {
        tell(order);
        return answer();
    }

    /** Ends the worker at once, as a crash does. */
    void kill();

    /** Makes the worker close its clients and end, and returns at once; {@link #close} must follow. */
    void end();

    /** Makes the worker close its clients and end. */
    @Override
    void close();
}
