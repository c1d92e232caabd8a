package dev.holdfast.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Who uses this server as a node. Thread-safe. */
final class NodeClients {

    private final Map<String, Entry> connected = new ConcurrentHashMap<>();

    private record Entry(String caller, NodeConversation conversation) {}

    /**
     * A client is there, maybe again: its new connection takes the place of the one before.
     *
     * @param client the client part of its owner ids
     * @param caller whose token it has
     * @return false if one of that name is there with another token
     */
    boolean add(String client, String caller, NodeConversation conversation) {
        Entry entry = new Entry(caller, conversation);
        Entry now = connected.compute(
                client, (name, before) -> before == null || before.caller.equals(caller) ? entry : before);
        return now.conversation == conversation;
    }

    void remove(String client, NodeConversation conversation) {
        connected.computeIfPresent(client, (name, entry) -> entry.conversation == conversation ? null : entry);
    }

    int count() {
        return connected.size();
    }

    /** Ends all their connections. */
    void end() {
        connected.values().forEach(entry -> entry.conversation.end());
    }
}
