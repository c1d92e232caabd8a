package dev.holdfast.cli.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command takes: which nodes, and how to reach them. */
public final class ClientOptions {

    @Option(
            names = "--node",
            paramLabel = "URI",
            scope = ScopeType.INHERIT,
            description = "A node, such as redis://host:6379; once for each node.")
    List<String> nodes = List.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Settings; see 'holdfast --help'.")
    public @Nullable Path config;

    @Option(
            names = "--key-prefix",
            paramLabel = "TEXT",
            scope = ScopeType.INHERIT,
            description = "What the nodes' keys begin with; 'lock:' unless set.")
    @Nullable
    String keyPrefix;

    @Option(
            names = "--username",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "The user of all nodes whose URIs name none.")
    @Nullable
    String username;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "A file with the password; else HOLDFAST_PASSWORD.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--node-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "How long a node may take to answer; ttl/20, 500ms at most, unless set.")
    @Nullable
    Duration nodeTimeout;

    @Option(
            names = "--connect-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "How long connecting may take; 2s unless set.")
    @Nullable
    Duration connectTimeout;

    @Option(
            names = "--no-quorum-timeout",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "How long a wait without a limit goes on while no majority answers; 30s unless set.")
    @Nullable
    Duration noQuorumTimeout;

    @Option(
            names = "--restart-quarantine",
            paramLabel = "DUR",
            scope = ScopeType.INHERIT,
            converter = DurationConverter.class,
            description = "How long a restarted node does not vote; the ttl unless set.")
    @Nullable
    Duration restartQuarantine;

    @Option(
            names = "--tls-ca",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "Who may have signed the certificates of rediss: nodes.")
    @Nullable
    Path tlsCa;

    @Option(
            names = "--tls-cert",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "Our own certificate, for nodes that ask for one.")
    @Nullable
    Path tlsCert;

    @Option(
            names = "--tls-key",
            paramLabel = "PEM",
            scope = ScopeType.INHERIT,
            description = "Its key, PKCS#8, unencrypted.")
    @Nullable
    Path tlsKey;
}
