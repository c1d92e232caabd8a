package dev.holdfast.cluster;

import dev.holdfast.node.Push;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connected clients of one server. It notifies them, and never waits for them. Thread-safe. */
final class Clients {

    private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();

    void add(ServerConnection connection) {
        connections.add(connection);
    }

    void remove(ServerConnection connection) {
        connections.remove(connection);
    }

    void pushed(List<Push> pushes) {
        pushes.forEach(push -> connections.forEach(connection -> connection.pushed(push)));
    }

    /** Notifies all clients that the server leads other groups than before. */
    void leadChanged() {
        connections.forEach(ServerConnection::tellLead);
    }
}
