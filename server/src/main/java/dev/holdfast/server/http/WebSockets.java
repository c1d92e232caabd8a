package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.client.NodeRequest;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketBudget;
import dev.holdfast.server.socket.SocketKind;
import dev.holdfast.server.socket.SocketWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.exceptions.WebSocketException;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/** The WebSockets of the server; each connection gets a {@link Conversation}. */
public final class WebSockets {

    /** The most parts of a message. They do not count as requests, so a client could keep the server busy with empty ones. */
    private static final int MOST_PARTS = 4_096;

    private static final int LARGEST_MESSAGE = NodeRequest.MOST_FRAME_CHARS / 4;
    private static final String VERSION = "13";
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int UNSUPPORTED_DATA = 1003;
    private static final int MESSAGE_TOO_BIG = 1009;

    private final SocketKind nodes;
    private final SocketKind sessions;
    private final Authorizer authorizer;
    private final Metrics metrics;
    private final Duration idleTimeout;
    private final SocketBudget budget = new SocketBudget(SocketBudget.MOST_CHARS);

    /** The open WebSockets, also those whose client has not sent a message yet, or uses another connection by now. */
    private final Set<Endpoint> open = ConcurrentHashMap.newKeySet();

    private @Nullable ServerWebSocketContainer container;

    public WebSockets(
            SocketKind nodes, SocketKind sessions, Authorizer authorizer, Metrics metrics, Duration idleTimeout) {
        this.nodes = nodes;
        this.sessions = sessions;
        this.authorizer = authorizer;
        this.metrics = metrics;
        this.idleTimeout = idleTimeout;
    }

    void addTo(Server server) {
        ServerWebSocketContainer made = ServerWebSocketContainer.ensure(server);
        made.setMaxTextMessageSize(LARGEST_MESSAGE);
        made.setMaxFrameSize(LARGEST_MESSAGE);
        made.setIdleTimeout(idleTimeout);
        container = made;
    }

    /** Upgrades a request to a WebSocket; returns false if the request does not ask for one. */
    boolean upgrade(Route route, Exchange exchange) {
        if (container == null || !"websocket".equalsIgnoreCase(exchange.header("Upgrade"))) {
            return false;
        }
        exchange.query();
        requireHandshake(exchange.header("Sec-WebSocket-Version"), exchange.header("Sec-WebSocket-Key"));
        Caller caller = authorizer.admitSocket(exchange, route);
        try {
            if (!container.upgrade(
                    (request, response, callback) -> {
                        response.setExtensions(List.of()); // compression would need memory for each connection
                        return new Endpoint(
                                open, route == Route.NODE ? nodes : sessions, caller, budget.open(caller.client()));
                    },
                    exchange.request,
                    exchange.response,
                    exchange.callback)) {
                throw Problem.badRequest("The request is not a WebSocket handshake (RFC 6455).");
            }
        } catch (WebSocketException | HttpException.RuntimeException e) {
            throw Problem.badRequest("The request is not a WebSocket handshake (RFC 6455).");
        }
        metrics.answered(route.word, SWITCHING_PROTOCOLS, 0);
        return true;
    }

    /** Rejects a handshake without the version or the key that RFC 6455 §4.2.1 requires. */
    private static void requireHandshake(@Nullable String version, @Nullable String key) {
        if (version == null) {
            throw Problem.badRequest("The header 'Sec-WebSocket-Version' is missing; send " + VERSION + ".")
                    .header("Sec-WebSocket-Version", VERSION);
        }
        if (!VERSION.equals(version)) {
            throw new Problem(
                            Problem.Kind.UPGRADE_REQUIRED,
                            "This server does not support version " + Printable.of(version) + " of WebSocket; send "
                                    + VERSION + ".")
                    .header("Upgrade", "websocket")
                    .header("Sec-WebSocket-Version", VERSION);
        }
        if (key == null || !KEY.matcher(key).matches()) {
            throw Problem.badRequest("The header 'Sec-WebSocket-Key' is "
                    + (key == null ? "missing" : "'" + Printable.of(key) + "'")
                    + "; it must be 16 random bytes in Base64.");
        }
    }

    /** The server's end of a WebSocket. Public for Jetty, which calls it on one thread at a time. */
    public static final class Endpoint implements Session.Listener.AutoDemanding {

        private final Set<Endpoint> open;
        private final SocketKind kind;
        private final Caller caller;
        private final SocketBudget.Share share;
        private StringBuilder part = new StringBuilder(0);
        private int parts;
        private @Nullable Session session;
        private volatile @Nullable Conversation conversation;

        Endpoint(Set<Endpoint> open, SocketKind kind, Caller caller, SocketBudget.Share share) {
            this.open = open;
            this.kind = kind;
            this.caller = caller;
            this.share = share;
        }

        @Override
        public void onWebSocketOpen(Session opened) {
            session = opened;
            conversation = kind.open(opened, caller, share);
            open.add(this);
        }

        /** Handles a part of a message. Jetty would collect the parts without regard to the client's other connections. */
        @Override
        public void onWebSocketPartialText(String payload, boolean last) {
            Conversation listener = conversation;
            if (listener == null) {
                return;
            }
            parts = last ? 0 : parts + 1;
            if (parts > MOST_PARTS) {
                end(SocketWriter.POLICY, "The message has more than " + MOST_PARTS + " parts.");
            } else if (last && part.isEmpty() && payload.isEmpty()) {
                end(SocketWriter.PROTOCOL, "The message is empty.");
            } else if (last && part.isEmpty()) {
                listener.hear(payload);
            } else if (part.length() + payload.length() > LARGEST_MESSAGE) {
                end(MESSAGE_TOO_BIG, "The message has more than " + LARGEST_MESSAGE + " characters.");
            } else if (!share.take(payload.length())) {
                end(SocketWriter.POLICY, "The connections of this client have too much text under way.");
            } else {
                part.append(payload);
                if (last) {
                    String message = part.toString();
                    part = new StringBuilder(0);
                    listener.hear(message);
                    share.putBack(message.length());
                }
            }
        }

        @Override
        public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
            callback.succeed();
            end(UNSUPPORTED_DATA, "This server takes text messages only.");
        }

        /** Ends the connection, and ignores what still arrives. The share stays in use until the client has read what was sent, or is disconnected. */
        private void end(int status, String why) {
            close();
            share.putBack(part.length());
            part = new StringBuilder(0);
            if (session != null) {
                session.close(status, why, Callback.NOOP);
            }
        }

        @Override
        public void onWebSocketError(Throwable cause) {
            close();
        }

        @Override
        public void onWebSocketClose(int statusCode, @Nullable String reason, Callback callback) {
            close();
            share.close();
            callback.succeed();
        }

        private void close() {
            open.remove(this);
            Conversation closed = conversation;
            conversation = null;
            if (closed != null) {
                closed.onClosed();
            }
        }
    }

    /** Ends all connections when the server stops. */
    void endAll() {
        sessions.endAll();
        nodes.endAll();
    }

    /**
     * Ends the connections of callers whose token has been removed. They can't reconnect, so their sessions end after the grace, on which the clients may rely.
     */
    public void end(Predicate<Caller> whose) {
        open.forEach(endpoint -> {
            Conversation ended = endpoint.conversation;
            if (ended != null && whose.test(endpoint.caller)) {
                ended.end(SocketWriter.POLICY, "the token is not known here any more");
            }
        });
    }
}
