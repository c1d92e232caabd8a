package dev.holdfast.redis.process;

import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Several independent servers: the nodes of a quorum. Thread-safe.
 *
 * <pre>{@code
 * try (RedisProcesses nodes = RedisProcesses.start(5)) {
 *     nodes.node(0).kill();
 *     nodes.node(1).pause();
 * }
 * }</pre>
 */
public final class RedisProcesses implements AutoCloseable, Iterable<RedisProcess> {

    private final List<RedisProcess> nodes = new ArrayList<>();

    private RedisProcesses() {}

    /** Starts this many servers with the defaults. */
    public static RedisProcesses start(int count) {
        return start(count, RedisOptions.defaults());
    }

    /** Starts this many servers with the same options, each in a directory of its own. */
    public static RedisProcesses start(int count, RedisOptions options) {
        return start(count, options::forNode);
    }

    /**
     * Starts servers with options that depend on the index of each, from 0.
     *
     * @throws RedisStartException if a server doesn't start; the others are closed
     */
    public static RedisProcesses start(int count, IntFunction<RedisOptions> options) {
        RedisProcesses started = new RedisProcesses();
        try {
            for (int i = 0; i < count; i++) {
                started.nodes.add(RedisProcess.start(options.apply(i)));
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Returns the server with this index, from 0. */
    public RedisProcess node(int index) {
        return nodes.get(index);
    }

    /** Returns the number of servers, running or not. */
    public int size() {
        return nodes.size();
    }

    /** Returns the address of each server, in order. */
    public List<URI> uris() {
        return nodes.stream().map(RedisProcess::uri).toList();
    }

    @Override
    public Iterator<RedisProcess> iterator() {
        return List.copyOf(nodes).iterator();
    }

    /** Closes all servers. */
    @Override
    public void close() {
        nodes.forEach(RedisProcess::close);
    }
}
