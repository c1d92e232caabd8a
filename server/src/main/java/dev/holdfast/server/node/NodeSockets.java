package dev.holdfast.server.node;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketBudget;
import dev.holdfast.server.socket.SocketKind;
import dev.holdfast.server.socket.SocketWriter;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import org.eclipse.jetty.websocket.api.Session;

/** The WebSockets of clients that use this server as a node. */
public final class NodeSockets implements SocketKind {

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private final ServedNode served;
    private final NodeClients clients;
    private final AuditLog audit;
    private final NodeLimits limits;

    public NodeSockets(ServedNode served, NodeClients clients, AuditLog audit, Ticker ticker) {
        this.served = served;
        this.clients = clients;
        this.audit = audit;
        this.limits = new NodeLimits(ticker);
    }

    @Override
    public Conversation open(Session session, Caller caller, SocketBudget.Share share) {
        session.setIdleTimeout(LONGEST_SILENCE);
        SocketWriter writer = new SocketWriter(session, NodeConversation.MOST_CHARS_BEHIND, share);
        return new NodeConversation(served, clients, audit, limits, caller, writer);
    }

    @Override
    public void endAll() {
        clients.end(SocketWriter.GOING_AWAY, "the server is stopping");
    }
}
