package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.Epoch;
import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;

/** The servers that all sides use in turns. */
public final class Servers implements AutoCloseable {

    private final RedisProcesses servers;

    private Servers(RedisProcesses servers) {
        this.servers = servers;
    }

    /** Starts this many servers with the defaults of the test kit: on the loopback, nothing written to disk. */
    public static Servers start(int count) {
        return new Servers(RedisProcesses.start(count));
    }

    /** Returns the addresses of the first {@code count} servers. */
    public List<String> first(int count) {
        return servers.uris().subList(0, count).stream().map(URI::toString).toList();
    }

    /** Returns a server by its index, from 0. */
    public RedisProcess server(int index) {
        return servers.node(index);
    }

    /** Deletes the keys of the last side. It keeps the epoch key, so that no client takes the deletion for a loss of state. */
    public void sweep() {
        for (RedisProcess server : servers) {
            if (server.isRunning() && !server.isPaused()) {
                sweep(server);
            }
        }
    }

    private static void sweep(RedisProcess server) {
        try (RedisConsole console = server.console()) {
            for (String key : server.keys()) {
                if (!key.equals(Epoch.KEY)) {
                    console.send("UNLINK", key);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
