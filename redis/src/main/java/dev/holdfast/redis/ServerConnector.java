package dev.holdfast.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One server, by its address, its socket, or as the master that sentinels name, who are asked anew each time. */
final class ServerConnector implements Connector {

    private final LettuceSettings settings;
    private final RedisClient client;

    ServerConnector(LettuceSettings settings) {
        this.settings = settings;
        var options = settings.clientOptions(); // before anything is begun that would have to be ended
        this.client = client(settings.address(), SharedResources.acquire());
        client.setOptions(options);
    }

    private static RedisClient client(RedisAddress address, ClientResources resources) {
        String path = address.socketPath();
        return path == null || Transports.NativeTransports.isDomainSocketSupported()
                ? new ScriptClient(resources)
                : new SocketClient(resources, path);
    }

    @Override
    public CompletionStage<Wires> connect() {
        RedisAddress address = settings.address();
        return client.connectPubSubAsync(
                        StringCodec.UTF8,
                        settings.redisUri(
                                address.hosts().isEmpty()
                                        ? null
                                        : address.hosts().get(0)))
                .thenApply(Wires::ofServer);
    }

    @Override
    public void afterReading(Runnable task) {
        SharedResources.afterReading(task);
    }

    @Override
    public void close() {
        client.shutdownAsync(SharedResources.QUIET_MILLIS, SharedResources.STOP_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((done, thrown) -> SharedResources.release());
    }
}
