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
 * <p>A server has one for both: under RESP3 Lettuce's pub/sub connection takes every command. Its plain connection would not do, since it
 * does not know the answer to SUBSCRIBE, which comes as a push. A cluster has two.
 *
 * @param commands where commands go
 * @param pushes where pushes come from
 * @param keys the commands on keys, for a scan of all of them
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
