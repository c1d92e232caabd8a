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
        POSTGRESQL,
        CLUSTER
    }

    /**
     * Starts this many servers.
     *
     * @param directory the directory for data
     */
    static Servers start(Kind kind, int count, int groups, Path directory) throws IOException {
        return switch (kind) {
            case REDIS -> new RedisServers(count);
            case POSTGRESQL -> PostgresServers.start(count, directory);
            case CLUSTER -> ClusterServers.start(count, groups, directory);
        };
    }

    /** Returns all servers. */
    List<NodeServer> all();

    /** Returns the nodes of a client that reaches the servers at these addresses. */
    default List<String> nodes(List<String> addresses) {
        return addresses;
    }

    /** Returns facts about the servers for the report, after the run. */
    default List<String> facts() {
        return List.of();
    }

    /**
     * Returns what no fault explains any more, a line for each server: damage to its data, or that it takes no part a while after the last fault has
     * ended.
     */
    default List<String> problems() throws InterruptedException {
        return List.of();
    }

    /** Returns the networks of all servers; empty where this machine allows none. */
    List<NetworkNamespace> networks();

    /** Returns whether clocks can be stepped. */
    boolean haveSteppableClocks();

    /** Returns the faults that this machine or this kind of server does not allow, with the reasons. */
    List<String> missing();

    /** Ends the faults of machines, disks and networks that are left. */
    default void mend() {}

    @Override
    void close();
}
