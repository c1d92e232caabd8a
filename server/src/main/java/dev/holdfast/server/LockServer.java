package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.http.Authorizer;
import dev.holdfast.server.http.Connections;
import dev.holdfast.server.http.Endpoints;
import dev.holdfast.server.http.ListenOptions;
import dev.holdfast.server.http.Metrics;
import dev.holdfast.server.http.WebServer;
import dev.holdfast.server.http.WebSockets;
import dev.holdfast.server.lease.LeaseLimits;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.log.Logs;
import dev.holdfast.server.node.EmbeddedNode;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.server.reload.Reloads;
import dev.holdfast.server.session.Sessions;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.view.LockViews;
import dev.holdfast.time.Timing;
import io.javalin.util.JavalinException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Locks over HTTP and JSON, for services in any language: on an embedded node, or on the nodes that it is given. Thread-safe.
 *
 * <pre>{@code
 * try (LockServer server = LockServer.builder().port(7420).start()) {
 *     System.out.println(server.uri());
 *     ...
 * }
 * }</pre>
 *
 * <p>A lease belongs to the HTTP client that acquired it, which extends it by asking, and ends at its ttl otherwise. Closing the server does
 * not release what clients hold: at nodes of their own the leases last until their ttl is over, since their holders count on that.
 */
public final class LockServer implements AutoCloseable {

    /** The port unless another one is set. */
    public static final int DEFAULT_PORT = 7420;

    private final Timing timing;
    private final EmbeddedNode embedded;
    private final Holdfast holdfast;
    private final Leases leases;
    private final Sessions sessions;
    private final NodeWatch nodes;
    private final Reloads reloads;
    private final Connections connections;
    private final WebServer web;
    private final URI uri;
    private final Logs logs;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LockServer(
            Timing timing,
            EmbeddedNode embedded,
            Holdfast holdfast,
            Leases leases,
            Sessions sessions,
            NodeWatch nodes,
            Reloads reloads,
            Connections connections,
            WebServer web,
            Logs logs,
            URI uri) {
        this.reloads = reloads;
        this.connections = connections;
        this.logs = logs;
        this.nodes = nodes;
        this.timing = timing;
        this.embedded = embedded;
        this.holdfast = holdfast;
        this.leases = leases;
        this.sessions = sessions;
        this.web = web;
        this.uri = uri;
    }

    public static LockServerBuilder builder() {
        return new LockServerBuilder();
    }

    static LockServer start(LockServerBuilder asked, HoldfastBuilder client, Tokens tokens) {
        Timing timing = Timing.system("holdfast-server");
        Deque<Runnable> made = new ArrayDeque<>();
        made.push(timing.scheduler()::close);
        try {
            EmbeddedNode embedded = EmbeddedNode.open(timing, asked.data());
            made.push(embedded::close);
            TlsFiles tls = asked.tls(timing.ticker());
            Logs logs = asked.logs(timing);
            made.push(logs::close);
            Holdfast holdfast = connected(client.timing(timing), asked.isOnItself() ? embedded : null);
            made.push(holdfast::close);
            return start(asked, tokens, timing, tls, logs, embedded, holdfast);
        } catch (RuntimeException e) {
            made.forEach(Runnable::run);
            throw e;
        }
    }

    private static Holdfast connected(HoldfastBuilder client, @Nullable EmbeddedNode node) {
        if (node != null) {
            client.node(context -> node.connect(context.client(), context.listener()));
        }
        return client.connect();
    }

    private static LockServer start(
            LockServerBuilder asked,
            Tokens tokens,
            Timing timing,
            @Nullable TlsFiles tls,
            Logs logs,
            EmbeddedNode embedded,
            Holdfast holdfast) {
        Limits limits = asked.limits();
        ListenOptions listening = asked.listening();
        EventLog events = new EventLog(timing);
        Owners owners = new Owners(timing.ticker());
        Leases leases = new Leases(
                holdfast,
                timing.random(),
                new LeaseLimits(limits.longestWait(), limits.leases(), limits.waiters(), limits.queuePerLock()),
                events,
                owners);
        Sessions sessions =
                new Sessions(timing, limits.sessions(), asked.sessionGrace().toMillis());
        NodeClients clients = new NodeClients();
        NodeWatch nodes = new NodeWatch(holdfast, timing, events);
        Connections connections = new Connections(
                timing,
                limits.connections(),
                limits.connectionsPerAddress(),
                listening.idleTimeout().toNanos());
        Reloads reloads = new Reloads(timing, tls == null ? List.of(tokens) : List.of(tokens, tls));
        Metrics metrics = new Metrics(leases, events, nodes, connections, logs, reloads, tls, sessions, clients);
        LockViews views = new LockViews(holdfast, timing, events, owners, nodes);
        Endpoints endpoints =
                new Endpoints(holdfast, timing, leases, limits.streams(), events, metrics, logs.audit, views);
        RateLimit rate = new RateLimit(limits.requestsPerSecond(), timing.ticker());
        Authorizer authorizer = new Authorizer(tokens, asked.isInsecure(), rate);
        WebSockets sockets = new WebSockets(
                listening.idleTimeout(), authorizer, metrics, embedded, clients, sessions, leases, rate, logs.audit);
        WebServer web =
                new WebServer(listening, tls, connections, logs.access, authorizer, endpoints, sockets, metrics);
        tokens.onChange(() -> {
            endpoints.endStreams(caller -> !tokens.stillHave(caller));
            sockets.end(caller -> !tokens.stillHave(caller));
        });
        reloads.onChange(logs.audit::reloaded);
        listen(web, listening.host(), listening.port());
        nodes.start();
        reloads.start();
        connections.start();
        URI uri = uri(tls == null ? "http" : "https", listening.host(), web.port());
        logs.audit.started(uri, tokens.current().stream().map(AccessToken::name).toList());
        return new LockServer(
                timing, embedded, holdfast, leases, sessions, nodes, reloads, connections, web, logs, uri);
    }

    private static void listen(WebServer web, String host, int port) {
        try {
            web.start();
        } catch (JavalinException e) {
            web.stop();
            throw new HoldfastException("can't listen on " + host + ", port " + port + ": " + e.getMessage());
        }
    }

    private static URI uri(String scheme, String host, int port) {
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    /** Where it is reached, with the port that it has got. */
    public URI uri() {
        return uri;
    }

    /**
     * The state of the nodes that keep its locks, as {@link Holdfast#nodes()} tells it.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for the nodes
     */
    public List<NodeStatus> nodes() throws InterruptedException {
        return holdfast.nodes();
    }

    /** The URI under which its embedded node is a node of other clients: {@code holdfast://host:port}. */
    public String nodeUri() {
        return "holdfast" + uri.toString().substring("http".length());
    }

    /** How many leases its clients hold, attempts to get one included. */
    public int leases() {
        return leases.held();
    }

    /** How many requests wait for a lock. */
    public int waiting() {
        return leases.waiting();
    }

    /**
     * Looks now at the files of its certificate and its tokens, and takes over what has changed; it does so by itself every few seconds. What is
     * wrong there is logged and shown in the metrics, and that which was stays in use. Reads files on the calling thread.
     */
    public void reload() {
        reloads.look();
    }

    /**
     * Grants no more locks, refuses all who wait, and lets holders extend and release what they have until the last lease has ended, or the time
     * is up; then {@link #close}.
     *
     * @param patience how long holders have, 0 or more
     * @return whether all leases had ended
     * @throws InterruptedException if the thread is interrupted; then it is not closed
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
     * Ends at once: refuses all who wait, and closes the connections. What clients hold is not released; at nodes of their own it lasts until its
     * ttl is over. Harmless more than once.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        leases.stop();
        int left = leases.held();
        nodes.close();
        reloads.close();
        connections.close();
        web.stop();
        holdfast.closeLeavingLeases();
        embedded.close();
        logs.audit.stopped(left);
        logs.close();
        timing.scheduler().close();
    }
}
