package dev.holdfast.redis.connection;

import java.util.concurrent.CompletableFuture;

/** An opener of connections to one node. Thread-safe. */
public interface Connector {

    /**
     * Opens a connection, and asks for the password now, which may block. The connector never reconnects on its own. Cancelling the future closes the
     * connection, also if the server has not answered yet.
     */
    CompletableFuture<LettuceConnections> connect();

    /** Runs a task once all data that had arrived on any connection has been read. */
    default void afterReading(Runnable task) {
        task.run();
    }

    /** Returns what to check if the server ends the connection, or is silent, before it has answered once; empty if nothing is known. */
    default String hint() {
        return "";
    }

    /** Ends all connections. The last connector of all also ends Lettuce's threads. Does not wait. */
    void close();
}
