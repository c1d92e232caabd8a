package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.http.Connections;
import dev.holdfast.server.http.ListenOptions;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link LockServer}. Every wrong one is refused; none is corrected in silence. Not thread-safe. */
public final class LockServerBuilder {

    /** The {@link #sessionGrace} unless set. */
    public static final Duration DEFAULT_SESSION_GRACE = Duration.ofSeconds(10);

    /** Longer than many HTTP clients keep connections (the JDK's since version 20 for 30 s), which else send a request on one that is just being closed. */
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(40);

    private static final int LARGEST_PORT = 65_535;

    private String host = "127.0.0.1";
    private int port = LockServer.DEFAULT_PORT;
    private @Nullable HoldfastBuilder client;
    private boolean onItself = true;
    private @Nullable Path data;
    private Supplier<List<AccessToken>> tokens = List::of;
    private @Nullable Path certificates;
    private @Nullable Path key;
    private @Nullable Path accessLog;
    private @Nullable Path auditLog;
    private boolean insecure;
    private Limits limits = Limits.defaults();
    private Duration sessionGrace = DEFAULT_SESSION_GRACE;
    private Duration idleTimeout = DEFAULT_IDLE_TIMEOUT;

    LockServerBuilder() {}

    /** The address it listens on, {@code 127.0.0.1} unless set. */
    public LockServerBuilder host(String host) {
        this.host = Objects.requireNonNull(host, "host");
        return this;
    }

    /**
     * The port it listens on, {@value LockServer#DEFAULT_PORT} unless set.
     *
     * @param port 1 to 65535, or 0 for one that is free
     */
    public LockServerBuilder port(int port) {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port is " + port + ", but must be from 0 to " + LARGEST_PORT);
        }
        this.port = port;
        return this;
    }

    /**
     * The nodes that it locks on, its embedded one unless set. Other servers may be such, {@code holdfast://host:7420}, and this one itself among
     * them: five servers that have all five as nodes are one majority.
     *
     * @param uris as {@link HoldfastBuilder#nodes(List)} takes them
     */
    public LockServerBuilder nodes(List<String> uris) {
        return client(Holdfast.builder().nodes(uris));
    }

    /** As {@link #nodes(List)}. */
    public LockServerBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** The client through which it locks, with its nodes and how they are reached; the server gives it its own clocks, and closes it. */
    public LockServerBuilder client(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = false;
        return this;
    }

    /** A client to which its embedded node is added, and which has no others; the server gives it its own clocks, and closes it. */
    public LockServerBuilder clientOfItself(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = true;
        return this;
    }

    /**
     * A folder in which the embedded node writes down until when votes last that it has given, how high its fences are, and what is sealed; unless set it
     * forgets all of that when it ends. After a restart it does not vote until the votes of the run before have ended (PROTOCOL §5). Made if it is
     * not there; used by one server at a time.
     */
    public LockServerBuilder data(Path folder) {
        this.data = Objects.requireNonNull(folder, "folder");
        return this;
    }

    /**
     * Who may use it; without tokens, which is so unless set, everybody on this machine.
     *
     * @param tokens of different names and secrets
     */
    public LockServerBuilder tokens(List<AccessToken> tokens) {
        List<AccessToken> fixed = Tokens.distinct(tokens);
        return tokens(() -> fixed);
    }

    /**
     * Who may use it, as {@link #tokens(List)}, and as it is told anew: when it starts, every few seconds while it runs, and at
     * {@link LockServer#reload}. Who had a token that is not there any more is let in no longer; what such a client holds ends with its ttl. Whether
     * there are tokens at all can't change while it runs.
     *
     * @param tokens called on a worker; what it throws is logged, and the tokens that were stay valid
     */
    public LockServerBuilder tokens(Supplier<List<AccessToken>> tokens) {
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        return this;
    }

    /**
     * Serves HTTPS (TLS 1.2 and 1.3) instead of HTTP. The files may be changed while it runs, both or one after the other: it looks every few
     * seconds, and at {@link LockServer#reload}. New connections get the new certificate; if the files are wrong, the old one.
     *
     * @param certificates PEM: the server's certificate, then that of who signed it, and so on
     * @param key PEM: its key, PKCS#8, not encrypted; RSA, EC or Ed25519
     */
    public LockServerBuilder tls(Path certificates, Path key) {
        this.certificates = Objects.requireNonNull(certificates, "certificates");
        this.key = Objects.requireNonNull(key, "key");
        return this;
    }

    /**
     * A file for a line of each request that was answered: when, who, method, route, status and duration, as JSON. Without one they go to the logger
     * {@code dev.holdfast.server.access}, at the level DEBUG. Lines are added at its end; where it is moved away, a new one is begun.
     */
    public LockServerBuilder accessLog(Path file) {
        this.accessLog = Objects.requireNonNull(file, "file");
        return this;
    }

    /**
     * A file for a line of each lease that was broken, caller that was refused, change of a file, start and stop, as JSON. Without one they go to the
     * logger {@code dev.holdfast.server.audit}, at the level INFO.
     */
    public LockServerBuilder auditLog(Path file) {
        this.auditLog = Objects.requireNonNull(file, "file");
        return this;
    }

    /** Whether it may listen without tokens at an address that other machines can reach: then they all may do everything. Not unless set. */
    public LockServerBuilder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    /** How much one client may ask for, {@link Limits#defaults} unless set. */
    public LockServerBuilder limits(Limits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
        return this;
    }

    /**
     * After how long a connection is closed on which nothing happens, and nothing is waited for: 100 ms to 1 h, 40 s unless set. Best longer than clients keep
     * a connection for their next request.
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
     * How long a session lasts after its client was heard of last, so how long the client has to come back after a broken connection, and how long others wait for
     * the locks of one that died: 500 ms to 10 minutes, 10 s unless set.
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
     * Connects to the nodes, and begins to listen.
     *
     * @throws IllegalArgumentException if the host is not this machine's own and there are no tokens, or files or settings of the client are wrong
     * @throws dev.holdfast.lock.NodeRefusedException if a node must not be used
     * @throws dev.holdfast.lock.HoldfastException if the port can't be listened on, or the folder of data can't be used
     */
    public LockServer start() {
        Tokens known = new Tokens(tokens);
        if (known.isEmpty() && !insecure && !isLoopback(host)) {
            throw new IllegalArgumentException("host is " + host
                    + ", which other machines can reach, but there are no tokens: set some, or say that it is"
                    + " to be insecure");
        }
        HoldfastBuilder used = client == null ? Holdfast.builder() : client;
        return LockServer.start(this, used, known);
    }

    /** Whether its clients lock on its embedded node. */
    boolean isOnItself() {
        return onItself;
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

    /** Null for plain HTTP. */
    @Nullable
    TlsFiles tls(Ticker ticker) {
        return certificates == null || key == null ? null : new TlsFiles(certificates, key, ticker);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host is " + host + ", which is not known", e);
        }
    }
}
