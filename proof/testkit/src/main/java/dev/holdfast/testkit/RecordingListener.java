package dev.holdfast.testkit;

import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A listener that records everything it receives from a node. Thread-safe. */
public final class RecordingListener implements NodeListener {

    private final List<Push> pushes = new CopyOnWriteArrayList<>();
    private final List<String> connection = new CopyOnWriteArrayList<>();
    private volatile @Nullable String serverId;

    /** Returns all pushes so far, the oldest first. */
    public List<Push> pushes() {
        return List.copyOf(pushes);
    }

    /** Returns the pushes so far about this resource. */
    public List<Push> pushes(String resource) {
        return pushes.stream().filter(push -> push.resource().equals(resource)).toList();
    }

    /** Returns the events of the connection, such as {@code available 7f3a}. */
    public List<String> connection() {
        return List.copyOf(connection);
    }

    /** Returns the server to which the node is connected; {@code null} while it is not connected. */
    public @Nullable String serverId() {
        return serverId;
    }

    @Override
    public void pushed(Push push) {
        pushes.add(push);
    }

    @Override
    public void available(String id) {
        connection.add("available " + id);
        serverId = id;
    }

    @Override
    public void unavailable(String reason) {
        serverId = null;
        connection.add("unavailable " + reason);
    }

    @Override
    public void refused(String reason) {
        serverId = null;
        connection.add("refused " + reason);
    }
}
