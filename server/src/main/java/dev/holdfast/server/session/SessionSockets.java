package dev.holdfast.server.session;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketBudget;
import dev.holdfast.server.socket.SocketKind;
import dev.holdfast.server.socket.SocketWriter;
import org.eclipse.jetty.websocket.api.Session;

/** The WebSockets of sessions. */
public final class SessionSockets implements SocketKind {

    private final Sessions sessions;
    private final Leases leases;
    private final RateLimit rate;
    private final RateLimit refusals;

    /**
     * Creates the route, which has no WebSocket yet.
     *
     * @param rate the limit on the requests of each client, over HTTP too
     * @param refusals the limit on the messages of each client that exceed that rate; beyond it, they end their connections
     */
    public SessionSockets(Sessions sessions, Leases leases, RateLimit rate, RateLimit refusals) {
        this.sessions = sessions;
        this.leases = leases;
        this.rate = rate;
        this.refusals = refusals;
    }

    @Override
    public Conversation open(Session session, Caller caller, SocketBudget.Share share) {
        SocketWriter writer = new SocketWriter(session, SessionConversation.MOST_CHARS_BEHIND, share);
        return new SessionConversation(sessions, leases, rate, refusals, caller, writer);
    }

    @Override
    public void endAll() {
        sessions.leaveBehind();
    }
}
