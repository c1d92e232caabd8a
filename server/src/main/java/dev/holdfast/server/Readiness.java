package dev.holdfast.server;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.view.LockViews;
import java.util.List;
import java.util.Optional;

/**
 * The readiness of a server. It is ready if clients can acquire locks, and if a server of a cluster takes its own part in it.
 *
 * @param nodes the states of the nodes that keep the server's locks
 * @param partIsMissing whether the server belongs to a cluster in which it should take part, and does not
 * @param part for people, without a full stop: why the server's part in its cluster is missing, or what a server that joins waits for; otherwise empty
 */
public record Readiness(List<NodeStatus> nodes, boolean partIsMissing, String part) {

    public Readiness {
        nodes = List.copyOf(nodes);
    }

    /** Returns whether more than half of the nodes vote. */
    public boolean hasMajority() {
        return LockViews.hasMajority(nodes);
    }

    /** Returns why the server is not ready, for people, without a full stop; empty if it is ready. */
    public Optional<String> problem() {
        if (partIsMissing) {
            return Optional.of(part);
        }
        return hasMajority() ? Optional.empty() : Optional.of("less than a majority of nodes votes");
    }

    /** Returns whether the server is ready. A server that waits to be added to its cluster is ready once the cluster has a leader. */
    public boolean isReady() {
        return problem().isEmpty();
    }
}
