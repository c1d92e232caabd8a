package dev.holdfast.redis;

import dev.holdfast.NodeOptions;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server, by its address, its socket, or as the master that sentinels name. Thread-safe. */
class Connector {

    private final RedisAddress address;
    private final NodeOptions options;
    private final String clientName;
    private final RedisClient client;

    Connector(RedisAddress address, NodeOptions options, String clientName) {
        this.address = address;
        this.options = options;
        this.clientName = clientName;
        ClientOptions clientOptions =
                clientOptions(ClientOptions.builder(), options).build();
        this.client = client(address, SharedResources.acquire());
        client.setOptions(clientOptions);
    }

    private static RedisClient client(RedisAddress address, ClientResources resources) {
        String path = address.socketPath();
        return path == null || Transports.NativeTransports.isDomainSocketSupported()
                ? RedisClient.create(resources)
                : new SocketClient(resources, path);
    }

    /** Lettuce never connects again by itself, sends nothing twice, and keeps nothing back for a later connection. */
    static ClientOptions.Builder clientOptions(ClientOptions.Builder builder, NodeOptions options) {
        return builder.autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP3)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.connectTimeout())
                        .keepAlive(true)
                        .build())
                .sslOptions(sslOptions(options));
    }

    private static SslOptions sslOptions(NodeOptions options) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(options.connectTimeout());
        Path trusted = options.trustedCertificates();
        if (trusted != null) {
            ssl.trustManager(readable("trustedCertificates", trusted).toFile());
        }
        Path certificate = options.certificate();
        if (certificate != null) {
            Path key = Objects.requireNonNull(options.privateKey());
            ssl.keyManager(
                    readable("certificate", certificate).toFile(),
                    readable("privateKey", key).toFile(),
                    new char[0]);
        }
        return ssl.build();
    }

    private static Path readable(String what, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(what + " is " + file + ", but must be a PEM file that can be read");
        }
        return file;
    }

    /** Connects; the password is asked for now, which may block. */
    CompletionStage<Wires> connect() {
        return client.connectPubSubAsync(
                        StringCodec.UTF8,
                        redisUri(
                                address.hosts().isEmpty()
                                        ? null
                                        : address.hosts().get(0)))
                .thenApply(Wires::one);
    }

    /** The address as Lettuce has it, with the credentials of this moment. */
    RedisURI redisUri(RedisAddress.@Nullable Host host) {
        RedisURI.Builder builder = RedisURI.builder();
        switch (address.kind()) {
            case SOCKET -> {
                String path = Objects.requireNonNull(address.socketPath());
                builder = client instanceof SocketClient ? builder.withHost("socket") : RedisURI.Builder.socket(path);
            }
            case SENTINEL -> {
                builder.withSentinelMasterId(Objects.requireNonNull(address.master()));
                for (RedisAddress.Host sentinel : address.hosts()) {
                    builder.withSentinel(sentinel.name(), sentinel.port());
                }
            }
            case SERVER, CLUSTER -> {
                RedisAddress.Host server = Objects.requireNonNull(host);
                builder.withHost(server.name()).withPort(server.port());
            }
        }
        RedisURI uri = builder.withDatabase(address.database())
                .withTimeout(options.connectTimeout())
                .build();
        if (address.tls()) {
            uri.setSsl(true);
            uri.setVerifyPeer(options.verifyHostname() ? SslVerifyMode.FULL : SslVerifyMode.CA);
        }
        uri.setClientName(clientName);
        RedisCredentials credentials = credentials();
        if (credentials != null) {
            uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> credentials));
        }
        return uri;
    }

    private @Nullable RedisCredentials credentials() {
        String password = address.password();
        if (password != null) {
            return RedisCredentials.just(address.username(), password);
        }
        Supplier<String> supplier = options.password();
        return supplier == null ? null : RedisCredentials.just(options.username(), supplier.get());
    }

    /** Ends all connections, and Lettuce's threads with the last connector. Does not wait. */
    void close() {
        CompletableFuture<Void> closed =
                client.shutdownAsync(SharedResources.QUIET_MILLIS, SharedResources.STOP_MILLIS, TimeUnit.MILLISECONDS);
        closed.whenComplete((done, thrown) -> SharedResources.release());
    }
}
