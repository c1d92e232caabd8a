package dev.holdfast.server.session;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketKind;
import dev.holdfast.server.socket.SocketWriter;
import java.util.function.Predicate;
import org.eclipse.jetty.websocket.api.Session;

/** The WebSockets of sessions. */
public final class SessionSockets implements SocketKind {

    private final Sessions sessions;
    private final Leases leases;
    private final RateLimit rate;

    public SessionSockets(Sessions sessions, Leases leases, RateLimit rate) {
        this.sessions = sessions;
        this.leases = leases;
        this.rate = rate;
    }

    @Override
    public Conversation open(Session session, Caller caller) {
        SocketWriter writer = new SocketWriter(session, SessionConversation.MOST_CHARS_BEHIND);
        return new SessionConversation(sessions, leases, rate, caller, writer);
    }

    @Override
    public void end(Predicate<Caller> whose, String why) {
        sessions.cutOff(whose, why);
    }

    @Override
    public void endAll() {
        sessions.leaveBehind();
    }
}
