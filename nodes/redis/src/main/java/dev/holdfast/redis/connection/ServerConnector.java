package dev.holdfast.redis.connection;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connector to one server: by its address, by its socket, or as the master that sentinels name. It asks the sentinels each time it connects. */
public final class ServerConnector implements Connector {

    private final LettuceSettings settings;
    private final ScriptClient client;
    private final AtomicBoolean first = new AtomicBoolean(true);

    public ServerConnector(LettuceSettings settings) {
        this.settings = settings;
        var options = settings.clientOptions(); // may throw, so it precedes everything that must be closed
        this.client = client(settings.address(), SharedResources.acquire());
        client.setOptions(options);
    }

    private static ScriptClient client(RedisAddress address, ClientResources resources) {
        String path = address.place().socketPath();
        return path == null || Transports.NativeTransports.isDomainSocketSupported()
                ? new ScriptClient(resources)
                : new SocketClient(resources, path);
    }

    @Override
    public CompletableFuture<LettuceConnections> connect() {
        List<RedisAddress.Host> hosts = settings.address().place().hosts();
        RedisAddress.Host host = hosts.isEmpty() ? null : hosts.get(0);
        RedisURI uri = first.getAndSet(false) ? settings.firstRedisUri(host) : settings.redisUri(host);
        return client.open(uri);
    }

    @Override
    public void afterReading(Runnable task) {
        SharedResources.afterReading(task);
    }

    @Override
    public String hint() {
        return settings.address().tlsHint();
    }

    @Override
    public void close() {
        client.shutdownAsync(SharedResources.QUIET_MILLIS, SharedResources.STOP_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((done, thrown) -> SharedResources.release());
    }
}
