package dev.holdfast.micrometer;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.NodeStatus;
import io.micrometer.core.instrument.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last known states of a client's nodes. A read refreshes them in the background when they are old, without waiting for the answer. Thread-safe. */
final class NodeStates {

    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long GIVEN_UP_NANOS = Duration.ofSeconds(30).toNanos();

    private static final System.Logger LOG = System.getLogger(NodeStates.class.getName());

    private final Holdfast holdfast;
    private final Clock clock;
    private volatile @Nullable List<NodeStatus> known;
    private boolean asking;
    private long askedNanos;

    NodeStates(Holdfast holdfast, Clock clock) {
        this.holdfast = holdfast;
        this.clock = clock;
        this.askedNanos = clock.monotonicTime() - FRESH_NANOS;
        refresh();
    }

    /** Returns 1 if a majority votes, 0 if not, NaN before the first answer. */
    double quorum() {
        refresh();
        List<NodeStatus> nodes = known;
        return nodes == null
                ? Double.NaN
                : nodes.stream().filter(NodeStates::votes).count() > nodes.size() / 2 ? 1 : 0;
    }

    /** Returns 1 if the node votes, 0 if not, NaN before the first answer. */
    double up(int node) {
        return status(node).map(status -> votes(status) ? 1.0 : 0.0).orElse(Double.NaN);
    }

    double clockOffsetMillis(int node) {
        return status(node)
                .map(NodeStatus::clockOffset)
                .filter(Objects::nonNull)
                .map(offset -> (double) offset.toMillis())
                .orElse(Double.NaN);
    }

    private static boolean votes(NodeStatus status) {
        return status.state() == NodeStatus.State.UP;
    }

    private Optional<NodeStatus> status(int node) {
        refresh();
        List<NodeStatus> nodes = known;
        return nodes == null || nodes.isEmpty() ? Optional.empty() : Optional.of(nodes.get(node));
    }

    private void refresh() {
        synchronized (this) {
            long ago = clock.monotonicTime() - askedNanos;
            if (ago < (asking ? GIVEN_UP_NANOS : FRESH_NANOS)) {
                return;
            }
            asking = true;
            askedNanos = clock.monotonicTime();
        }
        try {
            holdfast.admin().nodesAsync().whenComplete(this::answered);
        } catch (HoldfastClosedException e) { // A closed client has no nodes to report.
            answered(List.of(), null);
        }
    }

    private synchronized void answered(@Nullable List<NodeStatus> nodes, @Nullable Throwable failure) {
        asking = false;
        if (failure != null) {
            LOG.log(Level.WARNING, "Failed to read the state of the nodes", failure);
        }
        if (nodes != null) {
            known = nodes;
        }
    }
}
