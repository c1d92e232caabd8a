package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.Epoch;
import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;

/** The servers that all sides use, by turns. */
public final class Servers implements AutoCloseable {

    private final RedisProcesses servers;

    private Servers(RedisProcesses servers) {
        this.servers = servers;
    }

    /** Starts so many with the defaults of the test kit: on the loopback, nothing written to disk. */
    public static Servers start(int count) {
        return new Servers(RedisProcesses.start(count));
    }

    /** Returns the addresses of the first so many. */
    public List<String> first(int count) {
        return servers.uris().subList(0, count).stream().map(URI::toString).toList();
    }

    /** Returns one of them, from 0. */
    public RedisProcess server(int index) {
        return servers.node(index);
    }

    /** Deletes what the last side has left, but for the epoch key: nobody has lost a lock by it. */
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
