package dev.holdfast.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.http.Authorizer;
import dev.holdfast.server.http.BootstrapEndpoints;
import dev.holdfast.server.http.ClusterEndpoints;
import dev.holdfast.server.http.Connections;
import dev.holdfast.server.http.EventStreams;
import dev.holdfast.server.http.LeaseEndpoints;
import dev.holdfast.server.http.ListenOptions;
import dev.holdfast.server.http.Metrics;
import dev.holdfast.server.http.ReadyEndpoint;
import dev.holdfast.server.http.ServerEndpoints;
import dev.holdfast.server.http.ViewEndpoints;
import dev.holdfast.server.http.WebServer;
import dev.holdfast.server.http.WebSockets;
import dev.holdfast.server.http.WorkerQueue;
import dev.holdfast.server.lease.BreakNotices;
import dev.holdfast.server.lease.LeaseKeys;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.NodeSockets;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.server.node.ServedNode;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.server.session.SessionSockets;
import dev.holdfast.server.session.Sessions;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.view.LockHistory;
import dev.holdfast.server.view.LockViews;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A server that offers locks over HTTP and JSON to services in any language. It locks on its embedded node, or on other nodes that its builder names.
 * Thread-safe.
 *
 * <pre>{@code
 * try (LockServer server = LockServer.builder().port(7420).start()) {
 *     System.out.println(server.uri());
 *     ...
 * }
 * }</pre>
 *
 * <p>A lease belongs to the HTTP client that acquired it. The client extends the lease by a request; otherwise the lease expires after its ttl. Closing the
 * server does not release the leases of clients. On separate nodes they last until their ttl ends, since their holders rely on that.
 */
public final class LockServer implements AutoCloseable {

    /** The default port. */
    public static final int DEFAULT_PORT = 7420;

    /** The reason for a host that has no address, as the end of a message. */
    static final String UNKNOWN_HOST = "this host is unknown; choose another host";

    /** How many files the server opens besides the connections of clients: classes, logs and nodes. */
    private static final int OTHER_FILES = 200;

    private final ClosingSteps closing;

    private final ReadyCheck readiness;
    private final Leases leases;
    private final Sessions sessions;
    private final Reloads reloads;
    private final URI uri;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LockServer( // the parts that the public methods need
            ClosingSteps closing, ReadyCheck readiness, Leases leases, Sessions sessions, Reloads reloads, URI uri) {
        this.closing = closing;
        this.readiness = readiness;
        this.leases = leases;
        this.sessions = sessions;
        this.reloads = reloads;
        this.uri = uri;
    }

    public static LockServerBuilder builder() {
        return new LockServerBuilder();
    }

    static LockServer start(LockServerBuilder asked, HoldfastBuilder client, Tokens tokens) {
        Timing timing = Timing.system("holdfast-server");
        ClosingSteps closing = new ClosingSteps(timing.scheduler());
        try {
            return start(asked, client.timing(timing), tokens, timing, closing);
        } catch (RuntimeException e) {
            closing.run();
            throw e;
        }
    }

    /** Assembles the parts, and pushes each part that has to be closed onto {@code closing} as soon as it exists. */
    private static LockServer start(
            LockServerBuilder asked, HoldfastBuilder client, Tokens tokens, Timing timing, ClosingSteps closing) {
        ServedNode node = asked.node(timing);
        closing.push(node::close);
        TlsFiles tls = asked.tls(timing.ticker());
        Logs logs = asked.logs(timing);
        closing.push(logs::close);
        Holdfast holdfast =
                asked.isOnNodes() ? client.connect() : client.node(node::open).connect();
        closing.push(holdfast::closeLeavingLeases);

        EventLog events = new EventLog(timing);
        Owners owners = new Owners(timing.ticker());
        LeaseKeys keys = new LeaseKeys(holdfast, timing);
        closing.push(keys::close);
        Leases leases = new Leases(holdfast, timing, asked.limits().ofLeases(), events, owners, keys);
        Sessions sessions = new Sessions(
                timing, asked.limits().sessions(), asked.sessionGrace().toMillis());
        NodeClients clients = new NodeClients();
        NodeWatch nodes = new NodeWatch(holdfast, timing, events);
        Connections connections = asked.connections(timing);
        Reloads reloads = new Reloads(timing, tls == null ? List.of(tokens) : List.of(tokens, tls));
        BreakNotices notices = new BreakNotices(holdfast, timing, leases::broken);
        leases.readBreaksBy(notices::read);
        closing.push(notices::close);
        LockHistory history = LockHistory.open(events, timing, asked.data(), asked.history());
        closing.push(history::close);
        LockViews views = new LockViews(holdfast, timing, owners, nodes, history);

        Metrics metrics = new Metrics(timing.ticker());
        closing.push(metrics::close);
        metrics.watch(leases);
        metrics.watch(sessions, clients);
        metrics.watch(nodes);
        metrics.watch(events);
        metrics.watch(connections);
        metrics.watch(logs);
        metrics.watch(reloads, tls);
        node.cluster().ifPresent(metrics::watch);

        RateLimit rate = new RateLimit(asked.limits().requestsPerSecond(), timing.ticker());
        Authorizer authorizer = new Authorizer(tokens, asked.isInsecure(), rate);
        ListenOptions listening = asked.listening();
        WebSockets sockets = new WebSockets(
                new NodeSockets(node, clients, logs.audit, timing.ticker()),
                new SessionSockets(
                        sessions, leases, rate, new RateLimit(asked.limits().requestsPerSecond(), timing.ticker())),
                authorizer,
                metrics,
                listening.idleTimeout());
        EventStreams streams = new EventStreams(events, timing, asked.limits().streams());
        WebServer web = new WebServer(authorizer, sockets, streams, metrics, timing.ticker());
        WorkerQueue workers = new WorkerQueue(timing.scheduler());
        WorkerQueue breaks = new WorkerQueue(timing.scheduler()); // operators need them, however many clients query
        new LeaseEndpoints(leases, notices, timing).addTo(web.actions());
        new ViewEndpoints(holdfast, views, history, workers).addTo(web.actions());
        new ClusterEndpoints(node, logs.audit).addTo(web.actions());
        new BootstrapEndpoints(holdfast, node, clients, logs.audit).addTo(web.actions());
        new ServerEndpoints(holdfast, leases, breaks, metrics, logs.audit, notices).addTo(web.actions());
        ReadyCheck readiness = new ReadyCheck(holdfast, node);
        new ReadyEndpoint(() -> readiness.look().problem(), leases, timing).addTo(web.actions());
        tokens.onRead(() -> {
            Predicate<Caller> removed = caller -> !tokens.stillHave(caller);
            streams.end(removed);
            sockets.end(removed);
            leases.reject(removed);
        });
        reloads.onChange(logs.audit::reloaded);

        warnOfFewFiles(asked.limits().connections());
        closing.push(web::stop);
        closing.push(node::handOver); // first, while this server still answers
        int port = listen(web, listening, tls, connections, logs);
        node.opened();
        nodes.start();
        notices.start();
        if (asked.isOnItself()) {
            keys.startAlone();
        } else {
            keys.start();
        }
        reloads.start();
        connections.start();
        closing.push(connections::close);
        closing.push(reloads::close);
        closing.push(nodes::close);
        URI uri = uri(tls == null ? "http" : "https", listening.host(), port);
        logs.audit.started(uri, tokens.current().stream().map(AccessToken::name).toList());
        closing.push(() -> {
            leases.stop();
            logs.audit.stopped(leases.held());
        });
        return new LockServer(closing, readiness, leases, sessions, reloads, uri);
    }

    /** Warns if the system allows too few open files, since the system rejects connections beyond its own limit before the server's limits apply. */
    private static void warnOfFewFiles(int connections) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long allowed = system.getMaxFileDescriptorCount();
            long needed = (long) connections + OTHER_FILES;
            if (allowed > 0 && allowed < needed) {
                ServerLogger.get()
                        .log(
                                Level.WARNING,
                                "The process may open {0} files, but limit.connections = {1} needs {2}: raise the"
                                        + " limit (ulimit -n, LimitNOFILE), or lower limit.connections",
                                String.valueOf(allowed),
                                String.valueOf(connections),
                                String.valueOf(needed));
            }
        }
    }

    private static int listen(
            WebServer web, ListenOptions options, @Nullable TlsFiles tls, Connections connections, Logs logs) {
        try {
            return web.start(options, tls, connections, logs.access);
        } catch (Exception e) {
            throw new HoldfastException(
                    "can't listen on " + options.host() + ", port " + options.port() + ": " + words(e));
        }
    }

    /** Returns why the server cannot listen. The web server's own words repeat the address; the system's reason is a cause of its exception. */
    private static String words(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return UNKNOWN_HOST;
            }
            if (cause instanceof BindException) {
                String reason = String.valueOf(cause.getMessage());
                return reason.contains("in use")
                        ? "another program uses this port; choose another port, or stop that program"
                        : reason.contains("assign")
                                ? "this machine has no such address; choose another host"
                                : reason.contains("denied")
                                        ? "permission denied; choose a port of 1024 or more"
                                        : reason;
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private static URI uri(String scheme, String host, int port) {
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    /** Returns the server's URI, with the actual port. */
    public URI uri() {
        return uri;
    }

    /**
     * Returns the state of the nodes that keep the server's locks, as {@link dev.holdfast.HoldfastAdmin#nodes()} does.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for the nodes
     */
    public List<NodeStatus> nodes() throws InterruptedException {
        return readiness.nodes();
    }

    /**
     * Returns whether the server is ready, as {@code /readyz} says. It asks the nodes, and the servers of the cluster if this server belongs to one.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for the nodes
     */
    public Readiness readiness() throws InterruptedException {
        return readiness.look();
    }

    /** Returns the URI under which other clients use the server's embedded node: {@code holdfast://host:port}. */
    public String nodeUri() {
        return "holdfast" + uri.toString().substring("http".length());
    }

    /** Returns how many leases the server's clients hold. */
    public int leases() {
        return leases.held();
    }

    /** Returns how many requests wait for a lock. */
    public int waiting() {
        return leases.waiting();
    }

    /**
     * Checks the files of the certificate and the tokens now, and applies changes; the server also does so every few seconds. If a file is invalid, the server
     * logs that, shows it in the metrics, and keeps the previous version. Reads files on the calling thread.
     */
    public void reload() {
        reloads.look();
    }

    /**
     * Stops the server gracefully: it grants no more locks and rejects all waiters, but lets holders extend and release their leases. Once the last lease has
     * ended or the patience is over, calls {@link #close}.
     *
     * @param patience how long holders have, 0 or more
     * @return whether all leases had ended
     * @throws InterruptedException if the thread is interrupted; then the server is not closed
     */
    public boolean stop(Duration patience) throws InterruptedException {
        CompletableFuture<Void> idle = leases.stop();
        sessions.tellStopping();
        boolean ended = true;
        try {
            idle.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            ended = false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        close();
        return ended;
    }

    /**
     * Stops the server at once: rejects all waiters, and closes the connections. The server does not release the leases of clients; on separate nodes they last
     * until their ttl ends. Further calls have no effect, and neither has an interrupt of the calling thread.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closing.run();
        }
    }
}
