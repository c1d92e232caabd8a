package dev.holdfast.redis.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fresh connection, on which Lettuce has sent only its HELLO.
 *
 * <p>A server needs one connection for commands and pushes: under RESP3, Lettuce's pub/sub connection takes every command. Lettuce's plain
 * connection would not do, since it does not understand the answer to SUBSCRIBE, which is a push. A cluster needs two.
 *
 * @param commands where commands go
 * @param pushes where pushes come from
 * @param keys the commands on keys, for a scan of all keys
 * @param clusterId the id that distinguishes a cluster from others; null for a server
 * @param closing ends the connections; called only once, because Lettuce logs an error at a second call
 */
record LettuceConnections(
        StatefulConnection<String, String> commands,
        StatefulRedisPubSubConnection<String, String> pushes,
        RedisKeyAsyncCommands<String, String> keys,
        @Nullable String clusterId,
        Supplier<CompletableFuture<Void>> closing) {

    static LettuceConnections ofServer(StatefulRedisPubSubConnection<String, String> connection) {
        return new LettuceConnections(connection, connection, connection.async(), null, connection::closeAsync);
    }

    static LettuceConnections ofCluster(
            StatefulRedisClusterConnection<String, String> commands,
            StatefulRedisPubSubConnection<String, String> pushes,
            String clusterId,
            Supplier<CompletableFuture<Void>> closing) {
        return new LettuceConnections(commands, pushes, commands.async(), clusterId, closing);
    }

    CompletionStage<Void> close() {
        return closing.get();
    }
}
