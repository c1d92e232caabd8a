package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import java.util.List;

/** Clients of one side that do what they are told, one order after the other. Not thread-safe. */
public interface Worker extends AutoCloseable {

    /** How one is started: for this side, with clients of these servers that are set up like this. */
    @FunctionalInterface
    interface Starter {
        Worker start(Side side, ClientOptions options, List<String> nodes);
    }

    /** Gives the order, and does not wait; {@link #answer} must follow. */
    void tell(Order order);

    /** Returns the answer to the order that was given last. */
    Answer answer();

    /** Gives the order, and waits for the answer. */
    default Answer ask(Order order) {
        tell(order);
        return answer();
    }

    /** Ends it as a crash does, at once. */
    void kill();

    /** Lets it close its clients and end, and does not wait; {@link #close} must follow. */
    void end();

    /** Lets it close its clients and end. */
    @Override
    void close();
}
