package dev.holdfast.redis.connection;

import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import reactor.core.publisher.Mono;

/**
 * A client for Unix sockets on Java's own transport. Lettuce supports them only on Netty's native transports, which may be absent from the
 * class path; if they are present, this class uses them.
 */
final class SocketClient extends ScriptClient {

    private final String path;

    SocketClient(ClientResources resources, String path) {
        super(resources);
        this.path = path;
    }

    /** Prepares all TCP settings for a host that is never used, and replaces it with the socket. */
    @Override
    protected void connectionBuilder(
            Mono<SocketAddress> address, ConnectionBuilder builder, ConnectionEvents events, RedisURI uri) {
        super.connectionBuilder(Mono.just(UnixDomainSocketAddress.of(path)), builder, events, uri);
        builder.bootstrap(
                new Bootstrap().group(builder.bootstrap().config().group()).channel(NioDomainSocketChannel.class));
    }
}
