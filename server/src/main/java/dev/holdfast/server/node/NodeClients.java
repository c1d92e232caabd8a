package dev.holdfast.server.node;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.socket.SocketWriter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that use this server as a node. Thread-safe. */
public final class NodeClients {

    private final Map<String, Entry> connected = new ConcurrentHashMap<>();

    private record Entry(Caller caller, NodeConversation conversation) {}

    /**
     * Adds a client. A new connection of a known client replaces its previous one.
     *
     * @param client the client part of its owner ids
     * @param caller the caller, by its token
     * @return false if a client of that name is connected with another token
     */
    boolean add(String client, Caller caller, NodeConversation conversation) {
        Entry entry = new Entry(caller, conversation);
        Entry now = connected.compute(
                client,
                (name, before) -> before == null || before.caller.client().equals(caller.client()) ? entry : before);
        return now.conversation == conversation;
    }

    void remove(String client, NodeConversation conversation) {
        connected.computeIfPresent(client, (name, entry) -> entry.conversation == conversation ? null : entry);
    }

    public int count() {
        return connected.size();
    }

    /** Ends all connections, whose clients connect again at once and get a new greeting. */
    public void reconnect(String reason) {
        end(SocketWriter.SERVICE_RESTART, reason);
    }

    /** Ends all connections. */
    void end(int status, String reason) {
        connected.values().forEach(entry -> entry.conversation.end(status, reason));
    }
}
