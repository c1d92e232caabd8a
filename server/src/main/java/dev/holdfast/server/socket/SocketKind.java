package dev.holdfast.server.socket;

import dev.holdfast.server.caller.Caller;
import org.eclipse.jetty.websocket.api.Session;

/** The protocol of the WebSockets of one route. Thread-safe. */
public interface SocketKind {

    /**
     * Starts a conversation with a client that has just connected.
     *
     * @param share the share of the connection in the text that the server keeps for the client
     */
    Conversation open(Session session, Caller caller, SocketBudget.Share share);

    /** Ends all connections, since the server stops. */
    void endAll();
}
