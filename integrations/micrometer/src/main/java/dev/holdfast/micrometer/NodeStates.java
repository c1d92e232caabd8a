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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The present states of a client's nodes. If the known states are one second old, a read asks the nodes and waits for their answers, a node timeout at most. So
 * a node that has failed appears as up for one second at most. The reads of one scrape share one request. Thread-safe.
 */
final class NodeStates {

    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private static final System.Logger LOG = System.getLogger(NodeStates.class.getName());

    private final Holdfast holdfast;
    private final Clock clock;
    private final Duration patience;
    private CompletableFuture<List<NodeStatus>> answer;
    private long askedNanos;

    /**
     * Creates states that are not known yet.
     *
     * @param patience how long a read waits at most; then the states are unknown
     */
    NodeStates(Holdfast holdfast, Clock clock, Duration patience) {
        this.holdfast = holdfast;
        this.clock = clock;
        this.patience = patience;
        this.askedNanos = clock.monotonicTime();
        this.answer = ask();
    }

    /** Returns 1 if a majority votes, 0 if not, NaN if the nodes have not answered. */
    double quorum() {
        List<NodeStatus> nodes = known();
        return nodes == null
                ? Double.NaN
                : nodes.stream().filter(NodeStates::votes).count() > nodes.size() / 2 ? 1 : 0;
    }

    /** Returns 1 if the node votes, 0 if not, NaN if the nodes have not answered. */
    double up(int node) {
        return status(node).map(status -> votes(status) ? 1.0 : 0.0).orElse(Double.NaN);
    }

    double clockOffsetMillis(int node) {
        return status(node)
                .map(status -> status.server().clockOffset())
                .filter(Objects::nonNull)
                .map(offset -> (double) offset.toMillis())
                .orElse(Double.NaN);
    }

    private static boolean votes(NodeStatus status) {
        return status.state() == NodeStatus.State.UP;
    }

    private Optional<NodeStatus> status(int node) {
        List<NodeStatus> nodes = known();
        return nodes == null || nodes.isEmpty() ? Optional.empty() : Optional.of(nodes.get(node));
    }

    private @Nullable List<NodeStatus> known() {
        CompletableFuture<List<NodeStatus>> latest = latest();
        try {
            return latest.isDone() ? latest.join() : latest.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | CompletionException e) {
            LOG.log(Level.WARNING, "Failed to read the state of the nodes", e);
            return null;
        }
    }

    private synchronized CompletableFuture<List<NodeStatus>> latest() {
        if (clock.monotonicTime() - askedNanos >= FRESH_NANOS) {
            askedNanos = clock.monotonicTime();
            answer = ask();
        }
        return answer;
    }

    private CompletableFuture<List<NodeStatus>> ask() {
        try {
            return holdfast.admin().nodesAsync();
        } catch (HoldfastClosedException e) { // A closed client has no nodes to report.
            return CompletableFuture.completedFuture(List.of());
        }
    }
}
