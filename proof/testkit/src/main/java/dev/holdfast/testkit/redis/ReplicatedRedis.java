package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.process.Replication;
import java.net.URI;

/**
 * A primary and its replica behind one address. As with the primary endpoint of a managed service, failovers do not
 * change the address. Not thread-safe.
 *
 * <pre>{@code
 * try (ReplicatedRedis redis = ReplicatedRedis.start()) {
 *     redis.fallBehind();          // the failover loses all later writes
 *     redis.failOver();            // the replica is promoted
 *     redis.replace();             // an empty server becomes the replica
 * }
 * }</pre>
 */
public final class ReplicatedRedis implements AutoCloseable {

    private final RedisProcesses servers;
    private final TcpProxy endpoint;
    private int primary;

    private ReplicatedRedis(RedisProcesses servers, TcpProxy endpoint) {
        this.servers = servers;
        this.endpoint = endpoint;
    }

    /** Starts a pair with the defaults. */
    public static ReplicatedRedis start() {
        return start(RedisOptions.defaults());
    }

    /** Starts a primary and a replica; returns when the replica has all data of the primary. */
    public static ReplicatedRedis start(RedisOptions options) {
        RedisProcesses servers = RedisProcesses.start(
                2,
                number -> options.forNode(number)
                        .declareClean(number == 0)
                        .config("repl-diskless-sync yes", "repl-diskless-sync-delay 0"));
        try {
            Replication.follow(servers.node(1), servers.node(0));
            return new ReplicatedRedis(servers, TcpProxy.to(servers.node(0)));
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** Returns the address, which always leads to the present primary. */
    public URI uri() {
        return endpoint.uri();
    }

    /** Returns the server that accepts writes; between a failover and {@link #replace}, the only server. */
    public RedisProcess primary() {
        return servers.node(primary);
    }

    /** Returns the replica of that server. */
    public RedisProcess replica() {
        return servers.node(1 - primary);
    }

    /**
     * Cuts the replica off from its primary. The next failover loses every write that the primary answers after this.
     */
    public void fallBehind() {
        Replication.awaitInSync(replica(), primary());
        Replication.fallBehind(replica());
    }

    /** Kills the primary, promotes the replica, and points the address to it. Connections to the address break. */
    public void failOver() {
        primary().kill();
        promote();
    }

    /**
     * Fails over as {@link #failOver} does, but cuts the primary off instead of killing it, so that both servers keep
     * their run ids.
     */
    public void switchOver() {
        primary().pause();
        promote();
    }

    private void promote() {
        Replication.promote(replica());
        primary = 1 - primary;
        endpoint.pointTo(primary());
        endpoint.cut(Disconnect.RST);
    }

    /**
     * Makes the former primary the replica of the new one; if it was killed, it starts empty. Returns when it has all
     * data of the new primary.
     */
    public void replace() {
        if (replica().isRunning()) {
            replica().resume();
        } else {
            replica().restartEmpty();
        }
        Replication.follow(replica(), primary());
    }

    @Override
    public void close() {
        endpoint.close();
        servers.close();
    }
}
