package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.process.Replication;
import java.net.URI;

/**
 * A primary and its replica behind one address that stays the same through failovers, as the primary endpoint of a managed service does.
 * Not thread-safe.
 *
 * <pre>{@code
 * try (ReplicatedRedis redis = ReplicatedRedis.start()) {
 *     redis.fallBehind();          // what the primary answers from here on is lost
 *     redis.failOver();            // the replica takes the place of the primary
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

    /** Starts a primary and a replica; returns when the replica has what the primary has. */
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

    /** Returns the address that leads to the primary, whichever it is. */
    public URI uri() {
        return endpoint.uri();
    }

    /** Returns the server that takes writes; between a failover and {@link #replace} the only one. */
    public RedisProcess primary() {
        return servers.node(primary);
    }

    /** Returns the other one. */
    public RedisProcess replica() {
        return servers.node(1 - primary);
    }

    /** Cuts the replica off its primary: what the primary answers from now on is lost in the next failover. */
    public void fallBehind() {
        Replication.awaitInSync(replica(), primary());
        Replication.fallBehind(replica());
    }

    /** Kills the primary, promotes the replica, and leads the address to it. Connections to the address break. */
    public void failOver() {
        primary().kill();
        promote();
    }

    /** As {@link #failOver}, but the primary is cut off and lives, so that both servers keep their runs. */
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
     * Makes the former primary the replica of the new one, started with nothing if it was killed; returns when it has what the new one has.
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
