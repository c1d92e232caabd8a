package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.client.NodeRequest;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.log.AccessLog;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.node.EmbeddedNode;
import dev.holdfast.server.node.NodeClients;
import dev.holdfast.server.node.NodeConversation;
import dev.holdfast.server.session.SessionConversation;
import dev.holdfast.server.session.Sessions;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketWriter;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** WebSockets: from a connection to a {@link Conversation}. */
public final class WebSockets {

    private static final int LARGEST_MESSAGE = NodeRequest.MOST_FRAME_CHARS / 4;
    private static final Duration LONGEST_SILENCE_OF_NODE_CLIENTS = Duration.ofSeconds(30);
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int UNSUPPORTED_DATA = 1003;
    private static final String CALLER = "caller";
    private static final String CONVERSATION = "conversation";

    private final Authorizer authorizer;
    private final Metrics metrics;
    private final EmbeddedNode embedded;
    private final NodeClients clients;
    private final Sessions sessions;
    private final Leases leases;
    private final RateLimit rate;
    private final AuditLog audit;
    private final Duration idleTimeout;

    public WebSockets(
            Duration idleTimeout,
            Authorizer authorizer,
            Metrics metrics,
            EmbeddedNode embedded,
            NodeClients clients,
            Sessions sessions,
            Leases leases,
            RateLimit rate,
            AuditLog audit) {
        this.audit = audit;
        this.authorizer = authorizer;
        this.metrics = metrics;
        this.embedded = embedded;
        this.clients = clients;
        this.sessions = sessions;
        this.leases = leases;
        this.rate = rate;
        this.idleTimeout = idleTimeout;
    }

    void configure(JavalinConfig config) {
        config.jetty.modifyWebSocketServletFactory(factory -> {
            factory.setMaxTextMessageSize(LARGEST_MESSAGE);
            factory.setMaxBinaryMessageSize(1);
            factory.setMaxFrameSize(LARGEST_MESSAGE);
            factory.setIdleTimeout(idleTimeout);
        });
        for (Route route : Route.values()) {
            if (route.isWebSocket()) {
                config.routes.wsBeforeUpgrade(route.path, context -> admit(route, context));
                config.routes.ws(route.path, socket -> serve(route, socket));
            }
        }
    }

    private void admit(Route route, Context context) {
        context.attribute(AccessLog.ROUTE, route);
        context.attribute(CALLER, authorizer.admitSocket(context, route));
        metrics.answered(Json.word(route), SWITCHING_PROTOCOLS);
    }

    private void serve(Route route, WsConfig socket) {
        socket.onConnect(context -> context.attribute(
                CONVERSATION, conversation(route, Objects.requireNonNull(context.attribute(CALLER)), context)));
        socket.onMessage(context -> {
            Conversation conversation = conversation(context);
            if (conversation != null) {
                conversation.hear(context.message());
            }
        });
        socket.onBinaryMessage(context -> context.closeSession(UNSUPPORTED_DATA, "text only"));
        socket.onClose(WebSockets::isOver);
        socket.onError(WebSockets::isOver);
    }

    private Conversation conversation(Route route, Caller caller, WsContext context) {
        if (route == Route.NODE) {
            context.session.setIdleTimeout(LONGEST_SILENCE_OF_NODE_CLIENTS);
            SocketWriter writer = new SocketWriter(context.session, NodeConversation.MOST_CHARS_BEHIND);
            return new NodeConversation(embedded, clients, audit, caller, writer);
        }
        SocketWriter writer = new SocketWriter(context.session, SessionConversation.MOST_CHARS_BEHIND);
        return new SessionConversation(sessions, leases, rate, caller, writer);
    }

    private static @Nullable Conversation conversation(WsContext context) {
        return context.attribute(CONVERSATION);
    }

    private static void isOver(WsContext context) {
        Conversation conversation = conversation(context);
        if (conversation != null) {
            conversation.isOver();
        }
    }

    /** The server ends: so do all connections. */
    void endAll() {
        sessions.leaveBehind();
        clients.end(caller -> true, SocketWriter.GOING_AWAY, "the server is stopping");
    }

    /** Ends the connections of callers that have lost their token. */
    public void end(Predicate<Caller> whose) {
        String why = "the token is not known here any more";
        sessions.cutOff(whose, why);
        clients.end(whose, SocketWriter.POLICY, why);
    }
}
