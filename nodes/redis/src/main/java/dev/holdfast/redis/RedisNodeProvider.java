package dev.holdfast.redis;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeProvider;
import dev.holdfast.redis.connection.ClusterConnector;
import dev.holdfast.redis.connection.Connector;
import dev.holdfast.redis.connection.LettuceSettings;
import dev.holdfast.redis.connection.RedisAddress;
import dev.holdfast.redis.connection.RedisAddressParser;
import dev.holdfast.redis.connection.ServerConnector;
import dev.holdfast.redis.connection.SharedResources;
import java.lang.System.Logger.Level;
import java.util.Set;

/**
 * A provider of nodes that are Redis or Valkey servers, by URI:
 *
 * <pre>
 * redis://[user[:password]@]host[:port][/database]      rediss:// for TLS
 * redis-socket:///path/to/redis.sock[?database=n]
 * redis-sentinel://[user:password@]host[:port],…[/database]?master=name      rediss-sentinel:// for TLS
 * redis-cluster://[user:password@]host[:port],…      rediss-cluster:// for TLS
 * </pre>
 *
 * <p>A password alone is written {@code redis://:password@host}. Write characters with a meaning in URIs with a percent sign.
 * Credentials in the URI take precedence over {@link dev.holdfast.node.NodeOptions#credentials}. They are for the server, not for its
 * sentinels, which have {@link dev.holdfast.node.NodeOptions#sentinelCredentials}. {@code rediss-sentinel://} encrypts the connections to
 * the sentinels and to the master. Its certificate must be for the address that the sentinels name, unless
 * {@link dev.holdfast.node.NodeOptions#verifyHostname} is off.
 *
 * <p>An ACL user needs at least the following rights, if locks have the key prefix {@code lock:}. Without the right to INFO, SCRIPT LOAD or
 * SUBSCRIBE the node works less well, and logs a warning.
 *
 * <pre>
 * ~lock:* ~{lock:*}:holdfast:* ~holdfast:epoch resetchannels &amp;holdfast:push:*
 * +hello +info +time +subscribe +publish +eval +evalsha +script|load +get +set +del +exists +mget +pexpire +pexpireat +pttl
 * +type +hget +hset +hdel +hgetall +hmget +hexists +hlen +unlink +zadd +zrem +zrange +zrevrange +zrangebyscore +zrevrangebyscore +zremrangebyscore +zrank +zscore +zcard
 * </pre>
 *
 * <p>Listing names needs {@code +scan}; locks whose names have a hash tag need {@code ~{*}:holdfast:*}.
 *
 * <p>All nodes of a process share Lettuce's threads, which end with the last node. A program that is about to open its first node may {@link #prepare} them.
 */
public final class RedisNodeProvider implements NodeProvider {

    static final String SENTINEL_WARNING =
            "behind sentinels a failover can lose votes, so two leases may be held at once;"
                    + " fencing tokens still rise";
    static final String CLUSTER_WARNING = "a Redis Cluster counts as one node, and a failover in it can lose votes,"
            + " so two leases may be held at once; fencing tokens still rise. There is no quarantine for it";

    private static final System.Logger LOG = System.getLogger(RedisNodeProvider.class.getName());

    /**
     * Makes Lettuce's threads, and loads its classes, before there is a node. A program that does this on another thread, while it reads its settings, connects
     * sooner. The threads then stay until the process ends.
     */
    public static void prepare() {
        SharedResources.prepare();
    }

    @Override
    public Set<String> schemes() {
        return Set.of(
                "redis",
                "rediss",
                "redis-socket",
                "redis-sentinel",
                "rediss-sentinel",
                "redis-cluster",
                "rediss-cluster");
    }

    @Override
    public LockNode open(String uri, NodeContext context) {
        RedisAddress address = RedisAddressParser.parse(uri);
        var settings = new LettuceSettings(address, context.options(), "holdfast:" + context.client());
        Connector connector = address.kind() == RedisAddress.Kind.CLUSTER
                ? new ClusterConnector(settings)
                : new ServerConnector(settings);
        switch (address.kind()) {
            case SENTINEL -> LOG.log(Level.WARNING, address + ": " + SENTINEL_WARNING);
            case CLUSTER -> LOG.log(Level.WARNING, address + ": " + CLUSTER_WARNING);
            case SERVER, SOCKET -> {}
        }
        return new RedisNode(address, context, connector).start();
    }
}
