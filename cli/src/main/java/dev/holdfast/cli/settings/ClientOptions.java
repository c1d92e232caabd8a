package dev.holdfast.cli.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command accepts: the nodes, and how to connect to them. */
public final class ClientOptions {

    @Option(
            names = "--node",
            paramLabel = "URI",
            scope = ScopeType.INHERIT,
            description = "A node, such as redis://host:6379; repeat for each node.")
    List<String> nodes = List.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Config file; see 'holdfast --help'.")
    public @Nullable Path config;

    @Option(
            names = "--key-prefix",
            paramLabel = "TEXT",
            scope = ScopeType.INHERIT,
            description = "Prefix of the keys on the nodes (default: 'lock:').")
    @Nullable
    String keyPrefix;

    @Option(
            names = "--username",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "User of all nodes whose URIs have none.")
    @Nullable
    String username;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "File with the password (default: HOLDFAST_PASSWORD).")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--node-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "Timeout of a request to a node (default: ttl/20, at most 500ms).")
    @Nullable
    Duration nodeTimeout;

    @Option(
            names = "--connect-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "Timeout of connecting to a node (default: 2s).")
    @Nullable
    Duration connectTimeout;

    @Option(
            names = "--no-quorum-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "Timeout of an unlimited wait while no majority answers (default: 30s).")
    @Nullable
    Duration noQuorumTimeout;

    @Option(
            names = "--restart-quarantine",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "How long a restarted node does not vote (default: the ttl).")
    @Nullable
    Duration restartQuarantine;

    @Option(
            names = "--tls-ca",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "CA certificates that nodes with TLS are checked against.")
    @Nullable
    Path tlsCa;

    @Option(
            names = "--tls-cert",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "Client certificate, for nodes that require one.")
    @Nullable
    Path tlsCert;

    @Option(
            names = "--tls-key",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "Key of the client certificate, PKCS#8, unencrypted.")
    @Nullable
    Path tlsKey;
}
