package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.http.Connections;
import dev.holdfast.server.http.ListenOptions;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.node.ClusterMember;
import dev.holdfast.server.node.EmbeddedNode;
import dev.holdfast.server.node.ServedNode;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link LockServer}. The builder rejects every invalid setting, and never corrects one silently. Not thread-safe. */
public final class LockServerBuilder {

    /** The default {@link #sessionGrace}. */
    public static final Duration DEFAULT_SESSION_GRACE = Duration.ofSeconds(10);

    /** The default {@link #history}. */
    public static final Duration DEFAULT_HISTORY = Duration.ofDays(1);

    /**
     * The default idle timeout. It is longer than many HTTP clients keep connections (the JDK's since version 20: 30 s). Otherwise such a client could send a
     * request on a connection that the server is just closing.
     */
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(40);

    private static final int LARGEST_PORT = 65_535;

    private String host = "127.0.0.1";
    private int port = LockServer.DEFAULT_PORT;
    private @Nullable HoldfastBuilder client;
    private boolean onItself = true;
    private @Nullable Path data;
    private @Nullable ClusterConfig cluster;
    private Map<String, String> clusterUris = Map.of();
    private Supplier<List<AccessToken>> tokens = List::of;
    private @Nullable Path certificates;
    private @Nullable Path key;
    private @Nullable Path accessLog;
    private @Nullable Path auditLog;
    private boolean insecure;
    private Limits limits = Limits.defaults();
    private Duration sessionGrace = DEFAULT_SESSION_GRACE;
    private Duration history = DEFAULT_HISTORY;
    private Duration idleTimeout = DEFAULT_IDLE_TIMEOUT;

    LockServerBuilder() {}

    /** Sets the address that the server listens on; {@code 127.0.0.1} by default. */
    public LockServerBuilder host(String host) {
        this.host = Objects.requireNonNull(host, "host");
        return this;
    }

    /**
     * Sets the port that the server listens on; {@value LockServer#DEFAULT_PORT} by default.
     *
     * @param port 1 to 65535, or 0 for a free port
     */
    public LockServerBuilder port(int port) {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port is " + port + ", but must be from 0 to " + LARGEST_PORT);
        }
        this.port = port;
        return this;
    }

    /**
     * Sets the nodes that the server locks on; its embedded node by default. Other servers can be nodes, {@code holdfast://host:7420}, and so can this server
     * itself. Five servers that all have the same five nodes form one majority.
     *
     * @param uris the nodes, as in {@link HoldfastBuilder#nodes(List)}
     */
    public LockServerBuilder nodes(List<String> uris) {
        return client(Holdfast.builder().nodes(uris));
    }

    /** Sets the nodes, as {@link #nodes(List)} does. */
    public LockServerBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** Sets the client through which the server locks, with its nodes and their options. The server sets the clocks of the client, and closes it. */
    public LockServerBuilder client(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = false;
        return this;
    }

    /** Sets a client without nodes, to which the server adds its embedded node. The server sets the clocks of the client, and closes it. */
    public LockServerBuilder clientOfItself(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = true;
        return this;
    }

    /**
     * Sets the folder in which the embedded node persists the expiry of its votes, its highest fence and its seals. By default the node loses all of that when
     * it ends. After a restart it does not vote until the votes of the previous run have expired (PROTOCOL §5). The server creates the folder if it does not
     * exist; only one server at a time can use it.
     */
    public LockServerBuilder data(Path folder) {
        this.data = Objects.requireNonNull(folder, "folder");
        return this;
    }

    /**
     * Makes this server one of a cluster, whose servers agree on every operation before one of them answers
     * (docs/explanation/strict-cluster.md). Its clients, and its node {@code holdfast://}, then lock on the cluster. The module {@code holdfast-cluster} must be on
     * the class path. By default there is no cluster.
     *
     * <p>A server follows the one that leads through the addresses for clients. If servers need tokens, the client of {@link #clientOfItself} must have the
     * credentials of a token with all rights for all names.
     *
     * @param config this server's part in the cluster
     * @param uris the addresses of all servers for clients, {@code holdfast://host:port}, by name
     * @throws IllegalArgumentException if the addresses are not those of the servers in {@code config}
     */
    public LockServerBuilder cluster(ClusterConfig config, Map<String, String> uris) {
        if (!config.peers().keySet().equals(uris.keySet())) {
            throw new IllegalArgumentException("the servers of the cluster are "
                    + config.peers().keySet() + ", but the addresses for clients are those of " + uris.keySet());
        }
        this.cluster = config;
        this.clusterUris = Map.copyOf(uris);
        return this;
    }

    /**
     * Sets the tokens of the clients that may use the server. By default there are no tokens, and every client on this machine may use it.
     *
     * @param tokens tokens with different names and secrets
     */
    public LockServerBuilder tokens(List<AccessToken> tokens) {
        List<AccessToken> fixed = Tokens.distinct(tokens);
        return tokens(() -> fixed);
    }

    /**
     * Sets a source of tokens, as an alternative to {@link #tokens(List)}. The server reads it when it starts, every few seconds while it runs, and at
     * {@link LockServer#reload}. It no longer admits a client whose token has been removed; the leases of such a client end with their ttl. The server can't
     * change between tokens and no tokens while it runs.
     *
     * @param tokens runs on a worker; the server logs its exceptions, and the previous tokens stay valid
     */
    public LockServerBuilder tokens(Supplier<List<AccessToken>> tokens) {
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        return this;
    }

    /**
     * Serves HTTPS (TLS 1.2 and 1.3) instead of HTTP. The files may change while the server runs, both or one after the other. The server checks them every few
     * seconds, and at {@link LockServer#reload}. New connections use the new certificate; if the files are invalid, they use the old one.
     *
     * @param certificates PEM: the server's certificate, then the certificate of its issuer, and so on
     * @param key PEM: the certificate's key, PKCS#8, not encrypted; RSA, EC or Ed25519
     */
    public LockServerBuilder tls(Path certificates, Path key) {
        this.certificates = Objects.requireNonNull(certificates, "certificates");
        this.key = Objects.requireNonNull(key, "key");
        return this;
    }

    /**
     * Sets a file for the access log, with one JSON line for each answered request: time, client, method, route, status and duration. Without a file
     * the lines go to the logger {@code dev.holdfast.server.access}, at the level DEBUG. The server appends to the file; if the file is moved, the
     * server starts a new one.
     */
    public LockServerBuilder accessLog(Path file) {
        this.accessLog = Objects.requireNonNull(file, "file");
        return this;
    }

    /**
     * Sets a file for the audit log, with one JSON line for each broken lease, rejected caller, changed file, start and stop. Without a file the lines go to
     * the logger {@code dev.holdfast.server.audit}, at the level INFO.
     */
    public LockServerBuilder auditLog(Path file) {
        this.auditLog = Objects.requireNonNull(file, "file");
        return this;
    }

    /**
     * Sets whether the server may listen without tokens on an address that other machines can reach; then every client there may do everything. False by
     * default.
     */
    public LockServerBuilder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    /** Sets the limits of each client and of the server; {@link Limits#defaults} by default. */
    public LockServerBuilder limits(Limits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
        return this;
    }

    /**
     * Sets after how long the server closes a connection without traffic and without a waiting request: 100 ms to 1 h, 40 s by default. The value should be
     * longer than clients keep a connection for their next request.
     */
    public LockServerBuilder idleTimeout(Duration idleTimeout) {
        if (idleTimeout.compareTo(Duration.ofMillis(100)) < 0 || idleTimeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "idleTimeout is " + DurationText.of(idleTimeout) + ", but must be from 100 ms to 1 h");
        }
        this.idleTimeout = idleTimeout;
        return this;
    }

    /**
     * Sets how long a session lasts after the last message of its client: 500 ms to 10 minutes, 10 s by default. A client has this long to reconnect after a
     * broken connection, and other clients wait this long for the locks of a client that died.
     */
    public LockServerBuilder sessionGrace(Duration grace) {
        if (grace.compareTo(Duration.ofMillis(500)) < 0 || grace.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException(
                    "sessionGrace is " + DurationText.of(grace) + ", but must be from 500 ms to 10 min");
        }
        this.sessionGrace = grace;
        return this;
    }

    Duration sessionGrace() {
        return sessionGrace;
    }

    /**
     * Sets how long the server keeps the history of its locks in the folder of {@link #data}: up to 30 days, a day by default, zero for no history on disk. The
     * files take at most 256 MiB; if that is too little, the history reaches less far back. Without such a folder the history is in memory and covers ten
     * minutes.
     */
    public LockServerBuilder history(Duration kept) {
        if (kept.isNegative() || kept.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException(
                    "history is " + DurationText.of(kept) + ", but must be from 0 s to 30 d");
        }
        this.history = kept;
        return this;
    }

    Duration history() {
        return history;
    }

    /**
     * Connects to the nodes, and starts to listen.
     *
     * @throws IllegalArgumentException if the host is not local and there are no tokens, or if files or settings of the client are invalid
     * @throws dev.holdfast.lock.NodeRefusedException if a node must not be used
     * @throws dev.holdfast.lock.HoldfastException if the server can't listen on the port, or can't use the folder of data
     */
    public LockServer start() {
        Tokens known = new Tokens(tokens);
        if (known.isEmpty() && !insecure && !isLoopback(host)) {
            throw new IllegalArgumentException("host is " + host
                    + ", which other machines can reach, but there are no tokens: set tokens, or call"
                    + " insecure(true)");
        }
        if (cluster != null && !onItself) {
            throw new IllegalArgumentException(
                    "a server of a cluster locks on the cluster, but other nodes are set too");
        }
        HoldfastBuilder used = client == null ? Holdfast.builder() : client;
        return LockServer.start(this, used, known);
    }

    /** Returns whether the server's clients lock on other nodes. */
    boolean isOnNodes() {
        return !onItself;
    }

    /** Returns whether the server's clients lock on its embedded node. */
    boolean isOnItself() {
        return onItself && cluster == null;
    }

    /** Starts the node that the server offers. */
    ServedNode node(Timing timing) {
        return cluster == null ? EmbeddedNode.open(timing, data) : ClusterMember.start(cluster, clusterUris, timing);
    }

    @Nullable
    Path data() {
        return data;
    }

    ListenOptions listening() {
        return new ListenOptions(host, port, idleTimeout);
    }

    Connections connections(Timing timing) {
        return new Connections(timing, limits.connections(), limits.connectionsPerAddress(), idleTimeout.toNanos());
    }

    boolean isInsecure() {
        return insecure;
    }

    Limits limits() {
        return limits;
    }

    Logs logs(Timing timing) {
        return new Logs(accessLog, auditLog, timing);
    }

    /** Returns the TLS files; null for plain HTTP. */
    @Nullable
    TlsFiles tls(Ticker ticker) {
        return certificates == null || key == null ? null : new TlsFiles(certificates, key, ticker);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host is " + host + ", but " + LockServer.UNKNOWN_HOST, e);
        }
    }
}
