package dev.holdfast.server.socket;

import dev.holdfast.server.caller.Caller;
import java.util.function.Predicate;
import org.eclipse.jetty.websocket.api.Session;

/** The protocol of the WebSockets of one route. Thread-safe. */
public interface SocketKind {

    /** Starts a conversation with a client that has just connected. */
    Conversation open(Session session, Caller caller);

    /** Ends the connections of these callers. */
    void end(Predicate<Caller> whose, String why);

    /** Ends all connections, since the server stops. */
    void endAll();
}
