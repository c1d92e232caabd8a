package dev.holdfast.torture.world;

import dev.holdfast.redis.process.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The servers of a run, all of one kind. */
public interface Servers extends AutoCloseable {

    /** The kinds of servers. */
    enum Kind {
        REDIS,
        POSTGRESQL
    }

    /**
     * Starts this many servers.
     *
     * @param directory the directory for data
     */
    static Servers start(Kind kind, int count, Path directory) throws IOException {
        return kind == Kind.REDIS ? new RedisServers(count) : PostgresServers.start(count, directory);
    }

    /** Returns all servers. */
    List<NodeServer> all();

    /** Returns the networks of all servers; empty where this machine allows none. */
    List<NetworkNamespace> networks();

    /** Returns whether clocks can be stepped. */
    boolean haveSteppableClocks();

    /** Returns the faults that this machine or this kind of server does not allow, with the reasons. */
    List<String> missing();

    @Override
    void close();
}
