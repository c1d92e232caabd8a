package dev.holdfast.redis.connection;

import java.util.concurrent.CompletionStage;

/** Opens connections to what is one node. Thread-safe. */
public interface Connector {

    /** Connects; the password is asked for now, which may block. Never connects again by itself. */
    CompletionStage<LettuceConnections> connect();

    /** Runs a task once what had come on any connection has been read. */
    default void afterReading(Runnable task) {
        task.run();
    }

    /** Ends all connections, and Lettuce's threads with the last connector of all. Does not wait. */
    void close();
}
