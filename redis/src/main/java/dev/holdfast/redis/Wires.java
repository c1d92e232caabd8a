package dev.holdfast.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;

/**
 * A connection on which nothing has been said yet but Lettuce's HELLO.
 *
 * <p>A server has one for both: under RESP3 Lettuce's pub/sub connection takes every command. Its plain connection would not do, since it
 * does not know the answer to SUBSCRIBE, which comes as a push. A cluster has two.
 *
 * @param commands where commands go
 * @param pushes where pushes come from
 */
record Wires(StatefulConnection<String, String> commands, StatefulRedisPubSubConnection<String, String> pushes) {

    static Wires one(StatefulRedisPubSubConnection<String, String> connection) {
        return new Wires(connection, connection);
    }

    /** Only once: Lettuce complains of a second time. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = pushes.closeAsync();
        return commands == pushes ? closed : CompletableFuture.allOf(closed, commands.closeAsync());
    }
}
