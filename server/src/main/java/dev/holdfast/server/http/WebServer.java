package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.log.AccessLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.socket.SocketBudget;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.view.Dashboard;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The HTTP server, which turns a connection into a {@link Route}, and an {@link Answer} into bytes. */
public final class WebServer {

    private static final String DASHBOARD = "dashboard";

    /**
     * Every path, since this server compares paths as they are, and decodes none. The web server would close the connection because of a path that it does not
     * accept.
     */
    private static final UriCompliance ANY_PATH =
            new UriCompliance("holdfast", EnumSet.complementOf(EnumSet.of(Violation.USER_INFO, Violation.FRAGMENT)));

    private static final Duration LONGEST_STOP = Duration.ofSeconds(1);
    private static final int THREADS = 64;
    private static final int HEADER_BYTES = 16_384;
    private static final int MOST_CONNECTIONS_PENDING = 1_024;

    private final Authorizer authorizer;
    private final WebSockets sockets;
    private final EventStreams streams;
    private final Metrics metrics;
    private final Ticker ticker;
    private final Map<Route, Action> actions = new EnumMap<>(Route.class);
    private final Dashboard dashboard = new Dashboard();
    private final SocketBudget unread = new SocketBudget(SocketBudget.MOST_CHARS);
    private final Server server = new Server(threads());
    private final GracefulHandler underWay = new GracefulHandler();

    /** Creates a server without routes, which does not listen yet. */
    public WebServer(Authorizer authorizer, WebSockets sockets, EventStreams streams, Metrics metrics, Ticker ticker) {
        this.authorizer = authorizer;
        this.sockets = sockets;
        this.streams = streams;
        this.metrics = metrics;
        this.ticker = ticker;
    }

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 4);
        threads.setName("holdfast-http");
        threads.setDaemon(true);
        return threads;
    }

    /** Returns the actions of the routes; the caller must fill the map before {@link #start}. */
    public Map<Route, Action> actions() {
        return actions;
    }

    /**
     * Starts to listen.
     *
     * @param tls the certificate for HTTPS; null for plain HTTP
     * @return the port that the server listens on
     * @throws Exception if the server can't listen there
     */
    public int start(ListenOptions options, @Nullable TlsFiles tls, Connections connections, AccessLog accessLog)
            throws Exception {
        server.setErrorHandler(new ProblemErrors(tls != null));
        server.setRequestLog(accessLog);
        underWay.setHandler(new WholeRequests(connections, this::serve));
        server.setHandler(underWay);
        sockets.addTo(server);
        ServerConnector made = new ServerConnector(server, protocols(tls));
        made.setHost(options.host());
        made.setPort(options.port());
        made.setIdleTimeout(options.idleTimeout().toMillis());
        made.addBean(connections);
        made.setAcceptQueueSize(MOST_CONNECTIONS_PENDING);
        server.addConnector(made);
        server.start();
        return made.getLocalPort();
    }

    private static ConnectionFactory[] protocols(@Nullable TlsFiles tls) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setUriCompliance(ANY_PATH);
        HttpConnectionFactory plain = new PlainConnections(http);
        if (tls == null) {
            return new ConnectionFactory[] {plain};
        }
        http.addCustomizer(new SecureRequestCustomizer(false)); // clients check the name; proxies may use another
        return new ConnectionFactory[] {new SslConnectionFactory(tls.handshakes(), plain.getProtocol()), plain};
    }

    private void serve(Exchange exchange) {
        try {
            String path = exchange.path();
            String file = dashboard.paths().get(path);
            if (file != null) {
                serve(file, exchange);
                return;
            }
            TreeSet<String> methods = new TreeSet<>();
            for (Route route : Route.values()) {
                if (route.hasPath(path)) {
                    if (route.hasMethod(exchange.method())) {
                        exchange.recordRoute(route);
                        serve(route, exchange);
                        return;
                    }
                    methods.addAll(route.methods());
                }
            }
            exchange.requireValidPath();
            throw methods.isEmpty() ? Problem.notFound() : Problem.methodNotAllowed(methods);
        } catch (RuntimeException e) {
            refuse(exchange, null, e);
        }
    }

    private void serve(String file, Exchange exchange) {
        exchange.recordRoute(DASHBOARD);
        authorizer.admit(exchange, null);
        if (!Route.HEALTH.hasMethod(exchange.method())) {
            throw Problem.methodNotAllowed(new TreeSet<>(Route.HEALTH.methods()));
        }
        write(exchange, DASHBOARD, dashboard.answer(file, exchange.header("If-None-Match")));
    }

    private void serve(Route route, Exchange exchange) {
        try {
            if (route.isWebSocket() && sockets.upgrade(route, exchange)) {
                return;
            }
            Caller caller = route.isCheck() ? authorizer.admitCheck(exchange) : authorizer.admit(exchange, route.right);
            Authorizer.requireAccepts(exchange, route.type);
            if (route == Route.EVENTS) {
                streams.start(caller, exchange);
                return;
            }
            Action action = actions.get(route);
            if (action == null) {
                throw new IllegalStateException("no action exists for " + route);
            }
            action.answer(caller, exchange).whenComplete((answer, failure) -> {
                Throwable refusal =
                        failure == null && route.isQuery() ? beyondBudget(caller, exchange, answer) : failure;
                if (refusal == null) {
                    write(exchange, route.word, answer);
                } else {
                    refuse(exchange, route, refusal);
                }
            });
        } catch (RuntimeException e) {
            refuse(exchange, route, e);
        }
    }

    /**
     * Takes the answer from the budget of the client until the client has read it, and returns the refusal if the budget is used up. Only answers to queries may
     * be large, and a client can repeat a query.
     */
    private @Nullable Problem beyondBudget(Caller caller, Exchange exchange, Answer answer) {
        SocketBudget.Share share = unread.open(caller.client());
        if (!share.take(answer.body().remaining())) {
            return new Problem(
                            Problem.Kind.TOO_MANY,
                            "The client '" + caller.client() + "' has not read answers of more than "
                                    + SocketBudget.MOST_CHARS + " bytes.")
                    .header("Retry-After", "1");
        }
        Request.addCompletionListener(exchange.request, failure -> share.close());
        return null;
    }

    private void refuse(Exchange exchange, @Nullable Route route, Throwable failure) {
        Problem problem = Failures.problem(failure);
        if (problem.isForTheAudit()) {
            exchange.recordRefusal(problem.getMessage());
        }
        write(exchange, route == null ? "none" : route.word, problem.answer());
    }

    private void write(Exchange exchange, String name, Answer answer) {
        metrics.answered(name, answer.status(), exchange.nanos(ticker));
        exchange.write(answer);
    }

    /** Rejects new requests, waits a moment for those under way, and closes all connections. */
    public void stop() {
        streams.end(caller -> true);
        sockets.endAll();
        try {
            underWay.shutdown().get(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Clients without an answer by now receive none.
        }
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the web server did not stop", e);
        }
    }
}
