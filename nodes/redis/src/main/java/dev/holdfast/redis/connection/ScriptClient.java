package dev.holdfast.redis.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.PubSubCommandHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.ChannelHandlerContext;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A client with pub/sub connections for many small requests. They {@linkplain ServerConnection send} simultaneous commands as one, and read
 * the answers of scripts directly. Lettuce itself first records each answer on such a connection and plays it back, since under RESP2 it
 * may turn out to be a message. Under RESP3 messages are pushes and never look like an answer.
 */
class ScriptClient extends RedisClient {

    private @Nullable ServerConnection latest; // guarded by this object's monitor

    ScriptClient(ClientResources resources) {
        super(resources, new RedisURI());
    }

    /** Opens a connection. Cancelling the future closes the connection, for which Lettuce would wait ten times as long if the server is silent. */
    synchronized CompletableFuture<LettuceConnections> open(RedisURI uri) {
        CompletableFuture<LettuceConnections> opening = connectPubSubAsync(StringCodec.UTF8, uri)
                .thenApply(LettuceConnections::ofServer)
                .toCompletableFuture();
        ServerConnection connection = Objects.requireNonNull(latest); // Lettuce has just made it
        opening.whenComplete((opened, thrown) -> {
            if (opening.isCancelled()) {
                connection.abandon();
            }
        });
        return opening;
    }

    @Override
    @SuppressWarnings("unchecked") // it is used only with strings
    protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        ServerConnection made = new ServerConnection(
                (PubSubEndpoint<String, String>) endpoint, writer, (RedisCodec<String, String>) codec, timeout);
        latest = made;
        return (StatefulRedisPubSubConnectionImpl<K, V>) made;
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void connectionBuilder(
            Mono<SocketAddress> address, ConnectionBuilder builder, ConnectionEvents events, RedisURI uri) {
        super.connectionBuilder(address, builder, events, uri);
        if (builder.connection() instanceof ServerConnection connection) {
            PubSubEndpoint<String, String> endpoint = (PubSubEndpoint<String, String>) builder.endpoint();
            builder.commandHandler(() -> new Handler(builder.clientOptions(), getResources(), endpoint, connection));
        }
    }

    /** Lettuce's handler of the channel, which tells the connection its channel and decodes answers of scripts directly. */
    static final class Handler extends PubSubCommandHandler<String, String> {

        private final ServerConnection connection;

        Handler(
                ClientOptions options,
                ClientResources resources,
                PubSubEndpoint<String, String> endpoint,
                ServerConnection connection) {
            super(options, resources, StringCodec.UTF8, endpoint);
            this.connection = connection;
        }

        @Override
        public void channelRegistered(ChannelHandlerContext context) throws Exception {
            connection.useChannel(context.channel());
            super.channelRegistered(context);
        }

        @Override
        protected CommandOutput<?, ?, ?> getCommandOutput(RedisCommand<?, ?, ?> command) {
            return command instanceof ScriptCommand ? command.getOutput() : super.getCommandOutput(command);
        }
    }
}
