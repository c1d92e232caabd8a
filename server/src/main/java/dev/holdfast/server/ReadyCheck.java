package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.node.Cluster;
import dev.holdfast.server.node.ServedNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The check whether a server is ready, for {@code /readyz} and for the report at its start. Thread-safe. */
final class ReadyCheck {

    private static final long PATIENCE_SECONDS = 5;

    private final Holdfast holdfast;
    private final ServedNode node;

    ReadyCheck(Holdfast holdfast, ServedNode node) {
        this.holdfast = holdfast;
        this.node = node;
    }

    /** Asks the nodes for their states. */
    List<NodeStatus> nodes() throws InterruptedException {
        return holdfast.admin().nodes();
    }

    /**
     * Asks the nodes, and the servers of the cluster if this server belongs to one.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for the answers
     */
    Readiness look() throws InterruptedException {
        List<NodeStatus> nodes = nodes();
        Optional<Cluster> cluster = node.cluster();
        if (cluster.isEmpty()) {
            return new Readiness(nodes, false, "");
        }
        Cluster.Part part = part(cluster.get());
        return new Readiness(nodes, part.isMissing(), part.detail());
    }

    private static Cluster.Part part(Cluster cluster) throws InterruptedException {
        CompletableFuture<Cluster.Part> answer = cluster.part().toCompletableFuture();
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return new Cluster.Part(true, "the other servers of the cluster do not answer");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
