package dev.holdfast.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.PubSubCommandHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import reactor.core.publisher.Mono;

/**
 * A client whose pub/sub connections read the answers of scripts as they come. Lettuce itself records each answer on such a connection first
 * and plays it back, since under RESP2 it may turn out to be a message; under RESP3 messages are pushes and never look like an answer.
 */
class ScriptClient extends RedisClient {

    ScriptClient(ClientResources resources) {
        super(resources, new RedisURI());
    }

    @Override
    @SuppressWarnings("unchecked") // its one use is with strings
    protected void connectionBuilder(
            Mono<SocketAddress> address, ConnectionBuilder builder, ConnectionEvents events, RedisURI uri) {
        super.connectionBuilder(address, builder, events, uri);
        if (builder.endpoint() instanceof PubSubEndpoint<?, ?> endpoint) {
            builder.commandHandler(() ->
                    new Handler(builder.clientOptions(), getResources(), (PubSubEndpoint<String, String>) endpoint));
        }
    }

    private static final class Handler extends PubSubCommandHandler<String, String> {

        Handler(ClientOptions options, ClientResources resources, PubSubEndpoint<String, String> endpoint) {
            super(options, resources, StringCodec.UTF8, endpoint);
        }

        @Override
        protected CommandOutput<?, ?, ?> getCommandOutput(RedisCommand<?, ?, ?> command) {
            return command instanceof ScriptCommand ? command.getOutput() : super.getCommandOutput(command);
        }
    }
}
