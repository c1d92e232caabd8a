package dev.holdfast.torture.world;

import dev.holdfast.testkit.redis.TcpProxy;
import java.util.List;

/** A server that holds locks, which faults may strike. */
public interface NodeServer {

    /** Returns its name in the histories. */
    String name();

    boolean isRunning();

    /** Ends it with SIGKILL. */
    void kill();

    /** Starts it again with its data. */
    void restart();

    boolean isPaused();

    /** Stops it with SIGSTOP. */
    void pause();

    /** Resumes it with SIGCONT. */
    void resume();

    /** Starts a proxy in front of it. */
    TcpProxy link();

    /** Returns the address of the node for a client behind this proxy. */
    String address(TcpProxy link);

    /** Returns what it still has of locks, which should expire once all clients have ended. */
    List<String> left();
}
