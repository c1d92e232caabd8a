package dev.holdfast.redis.connection;

import dev.holdfast.node.NodeOptions;
import dev.holdfast.time.RunningTimeout;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.Transports;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A node's address and options as Lettuce's settings.
 *
 * @param clientName the name that CLIENT LIST shows
 */
public record LettuceSettings(RedisAddress address, NodeOptions options, String clientName) {

    /** Returns the options: Lettuce never reconnects, sends nothing twice, and keeps nothing for a later connection. */
    ClientOptions clientOptions() {
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP3)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(longest())
                        .keepAlive(true)
                        .build())
                .sslOptions(sslOptions())
                .build();
    }

    /**
     * Returns the longest timeout. {@link Reconnector} enforces the connect timeout, and excludes the time in which this client did not run.
     * Several sentinels share the connect timeout.
     */
    private Duration longest() {
        return address.kind() == RedisAddress.Kind.SENTINEL
                ? options.connectTimeout()
                : options.connectTimeout().multipliedBy(RunningTimeout.LONGEST_CONNECT_FACTOR);
    }

    private SslOptions sslOptions() {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(longest());
        TrustManagerFactory trustManagers = options.trustManagers();
        Path trusted = options.trustedCertificates();
        if (trustManagers != null) {
            ssl.trustManager(trustManagers);
        } else if (trusted != null) {
            ssl.trustManager(certificates("trustedCertificates", trusted));
        }
        KeyManagerFactory keyManagers = options.keyManagers();
        Path certificate = options.certificate();
        if (keyManagers != null) {
            ssl.keyManager(keyManagers);
        } else if (certificate != null) {
            Path key = Objects.requireNonNull(options.privateKey());
            ssl.keyManager(certificates("clientCertificate", certificate), key(certificate, key), new char[0]);
        }
        return ssl.build();
    }

    private static File certificates(String what, Path file) {
        return checked(what, file, "certificates", SslContextBuilder.forClient()::trustManager);
    }

    private static File key(Path certificate, Path key) {
        return checked(
                "the key of clientCertificate",
                key,
                "a key that is not encrypted",
                file -> SslContextBuilder.forClient().keyManager(certificate.toFile(), file));
    }

    /** Reads a file once before Lettuce does, whose errors do not name the file. */
    private static File checked(String what, Path path, String content, Consumer<File> reader) {
        File file = path.toFile();
        try {
            reader.accept(file);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    what + " is " + path + ", but must be a PEM file that can be read, with " + content);
        }
        return file;
    }

    /**
     * Returns the address for the first connection of a client. Lettuce limits the time of its handshake, which includes
     * the time for loading classes.
     */
    RedisURI firstRedisUri(RedisAddress.@Nullable Host host) {
        RedisURI uri = redisUri(host);
        if (uri.getTimeout().compareTo(RunningTimeout.LONGEST_TURN) < 0
                && address.kind() != RedisAddress.Kind.SENTINEL) {
            uri.setTimeout(RunningTimeout.LONGEST_TURN);
        }
        return uri;
    }

    /**
     * Returns the address with the current credentials.
     *
     * @throws IllegalArgumentException if TLS needs a file that has become unreadable
     */
    RedisURI redisUri(RedisAddress.@Nullable Host host) {
        if (address.tls()) {
            sslOptions(); // Lettuce reads the files again for each connection
        }
        RedisURI.Builder builder = RedisURI.builder();
        switch (address.kind()) {
            case SOCKET -> {
                String path = Objects.requireNonNull(address.place().socketPath());
                builder = Transports.NativeTransports.isDomainSocketSupported()
                        ? RedisURI.Builder.socket(path)
                        : builder.withHost("socket"); // this host is never used, see SocketClient
            }
            case SENTINEL -> {
                builder.withSentinelMasterId(
                        Objects.requireNonNull(address.place().master()));
                for (RedisAddress.Host sentinel : address.place().hosts()) {
                    builder.withSentinel(sentinel.name(), sentinel.port());
                }
            }
            case SERVER, CLUSTER -> {
                RedisAddress.Host server = Objects.requireNonNull(host);
                builder.withHost(server.name()).withPort(server.port());
            }
        }
        RedisURI uri =
                builder.withDatabase(address.database()).withTimeout(longest()).build();
        uri.setClientName(clientName);
        secure(uri, credentials());
        RedisCredentials ofSentinels = just(options.sentinelUsername(), options.sentinelPassword());
        uri.getSentinels().forEach(sentinel -> secure(sentinel, ofSentinels));
        return uri;
    }

    /** Sets the encryption and the credentials of one server or sentinel. */
    private void secure(RedisURI uri, @Nullable RedisCredentials credentials) {
        if (address.tls()) {
            uri.setSsl(true);
            uri.setVerifyPeer(options.verifyHostname() ? SslVerifyMode.FULL : SslVerifyMode.CA);
        }
        if (credentials != null) {
            uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> credentials));
        }
    }

    private @Nullable RedisCredentials credentials() {
        RedisAddress.Credentials own = address.credentials();
        return own == null
                ? just(options.username(), options.password())
                : RedisCredentials.just(own.username(), own.password());
    }

    private static @Nullable RedisCredentials just(@Nullable String username, @Nullable Supplier<String> password) {
        return password == null ? null : RedisCredentials.just(username, password.get());
    }
}
