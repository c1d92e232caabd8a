package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.log.AccessLog;
import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Headers;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.view.Dashboard;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** HTTP: from a connection to a {@link Route}, and from an {@link Answer} to bytes. */
public final class WebServer {

    private static final System.Logger LOG = ServerLogger.get();
    private static final String DASHBOARD = "dashboard";
    private static final Duration LONGEST_STOP = Duration.ofSeconds(1);
    private static final int THREADS = 64;
    private static final int HEADER_BYTES = 16_384;
    private static final int MOST_CONNECTIONS_PENDING = 1_024;

    private final Connections connections;
    private final AccessLog accessLog;
    private final Authorizer authorizer;
    private final Endpoints endpoints;
    private final WebSockets sockets;
    private final Metrics metrics;
    private final GracefulHandler underWay = new GracefulHandler();
    private final Javalin javalin;

    /**
     * Does not listen yet.
     *
     * @param tls what makes it HTTPS; null for none
     */
    public WebServer(
            ListenOptions options,
            @Nullable TlsFiles tls,
            Connections connections,
            AccessLog accessLog,
            Authorizer authorizer,
            Endpoints endpoints,
            WebSockets sockets,
            Metrics metrics) {
        this.connections = connections;
        this.accessLog = accessLog;
        this.metrics = metrics;
        this.authorizer = authorizer;
        this.endpoints = endpoints;
        this.sockets = sockets;
        this.javalin = Javalin.create(config -> configure(config, options, tls));
    }

    private void configure(JavalinConfig config, ListenOptions options, @Nullable TlsFiles tls) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.generateEtags = false;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.ignoreTrailingSlashes = false;
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 4);
        threads.setName("holdfast-http");
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(http -> {
            http.setSendServerVersion(false);
            http.setSendDateHeader(false);
            http.setRequestHeaderSize(HEADER_BYTES);
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new ProblemErrors());
            server.setRequestLog(accessLog);
        });
        config.jetty.modifyServletContextHandler(handler -> {
            handler.setErrorHandler(new ProblemErrors());
            handler.setSessionHandler(new NoServletSessions());
            handler.insertHandler(new WholeRequests(connections));
            handler.insertHandler(underWay);
        });
        config.jetty.addConnector((server, http) -> connector(server, http, options, tls));
        for (Route route : Route.values()) {
            config.routes.addEndpoint(
                    new Endpoint(HandlerType.findOrCreate(route.method), route.path, context -> serve(route, context)));
            if (route.method.equals("GET")) { // else Javalin answers HEAD by itself, whoever asks
                config.routes.addEndpoint(new Endpoint(HandlerType.HEAD, route.path, context -> head(route, context)));
            }
        }
        Dashboard dashboard = new Dashboard();
        dashboard.paths().forEach((path, file) -> {
            for (HandlerType method : List.of(HandlerType.GET, HandlerType.HEAD)) {
                config.routes.addEndpoint(new Endpoint(method, path, context -> page(dashboard, file, context)));
            }
        });
        sockets.configure(config);
        config.routes.exception(HttpResponseException.class, this::refuse); // which has a form of its own otherwise
        config.routes.exception(Exception.class, this::refuse);
    }

    private void refuse(Exception failure, Context context) {
        Problem problem = Failures.problem(failure);
        try {
            if (problem.isForTheAudit()) {
                context.attribute(AccessLog.REFUSED, problem.getMessage());
            }
            write(context, problem.answer());
        } catch (RuntimeException e) { // thrown on, it would come back here, again and again
            LOG.log(Level.DEBUG, "A request that is over can't be answered", e);
        }
    }

    private ServerConnector connector(
            Server server, HttpConfiguration http, ListenOptions options, @Nullable TlsFiles tls) {
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector connector;
        if (tls == null) {
            connector = new ServerConnector(server, plain);
        } else {
            http.addCustomizer(new SecureRequestCustomizer(false)); // clients check the name, proxies may have another
            connector =
                    new ServerConnector(server, new SslConnectionFactory(tls.handshakes(), plain.getProtocol()), plain);
        }
        connector.setHost(options.host());
        connector.setPort(options.port());
        connector.setIdleTimeout(options.idleTimeout().toMillis());
        connector.addBean(connections);
        connector.setAcceptQueueSize(MOST_CONNECTIONS_PENDING);
        return connector;
    }

    private void head(Route route, Context context) throws IOException {
        if (route == Route.EVENTS) {
            throw new Problem(Problem.Kind.METHOD_NOT_ALLOWED, "A stream of events has no head of its own.")
                    .header("Allow", "GET");
        }
        serve(route, context);
    }

    private void serve(Route route, Context context) throws IOException {
        context.attribute(AccessLog.ROUTE, route);
        Caller caller = authorizer.admit(context, route.right);
        Authorizer.requireAccepts(context, route.type);
        if (route == Route.EVENTS) {
            endpoints.stream(caller, context);
            return;
        }
        CompletableFuture<Answer> answer = endpoints
                .answer(route, caller, context)
                .toCompletableFuture()
                .exceptionally(failure -> Failures.problem(failure).answer());
        if (answer.isDone()) {
            write(context, answer.join());
        } else {
            context.future(() -> answer.thenAccept(given -> write(context, given)));
        }
    }

    private void page(Dashboard dashboard, String file, Context context) {
        context.attribute(AccessLog.ROUTE, DASHBOARD);
        authorizer.admit(context, null);
        dashboard.answer(file, context);
        metrics.answered(DASHBOARD, context.statusCode());
    }

    private void write(Context context, Answer answer) {
        Object route = context.attribute(AccessLog.ROUTE);
        String name = route instanceof Route known ? known.word : route == null ? "none" : route.toString();
        metrics.answered(name, answer.status());
        Headers.STRICT.forEach(context::header);
        answer.headers().forEach(context::header);
        context.status(answer.status()).contentType(answer.contentType());
        try { // not as a result, which Javalin copies through a buffer of its own, larger than most answers
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            context.res().setContentLength(body.length);
            context.res().getOutputStream().write(body);
        } catch (IOException e) { // who asked has gone
            LOG.log(Level.DEBUG, "An answer can't be written", e);
        }
    }

    public void start() {
        javalin.start();
    }

    public int port() {
        return javalin.port();
    }

    /** Takes nothing new, lets what is under way be answered, for a moment, and closes all connections. */
    public void stop() {
        endpoints.endStreams(caller -> true);
        sockets.endAll();
        try {
            underWay.shutdown().get(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // who has not been answered by now is not waited for
        }
        javalin.stop();
    }
}
