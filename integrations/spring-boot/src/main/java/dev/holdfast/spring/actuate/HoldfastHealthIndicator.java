package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * A health indicator that reports whether this application can acquire locks: UP while a majority of its nodes votes, else DOWN. The details show the
 * state of each node, the number of leases lost since the start, and the last lost lease. A lost lease does not make the application DOWN, because
 * the application can acquire the next one.
 *
 * <p>It asks the nodes, and waits at most one node timeout. Do not use it for liveness: restarting an application does not bring its nodes back.
 */
public final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    private final Holdfast holdfast;
    private final LockBook book;

    public HoldfastHealthIndicator(Holdfast holdfast, LockBook book) {
        super("reading the state of the nodes failed");
        this.holdfast = holdfast;
        this.book = book;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
        List<NodeStatus> nodes = holdfast.admin().nodes();
        long voting = nodes.stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .count();
        int majority = nodes.size() / 2 + 1;
        Map<String, String> states = new LinkedHashMap<>();
        for (NodeStatus node : nodes) {
            states.merge(node.name(), text(node), (one, other) -> one + "; " + other);
        }
        builder.status(voting >= majority ? Status.UP : Status.DOWN)
                .withDetail("voting", voting + " of " + nodes.size() + ", " + majority + " are needed")
                .withDetail("nodes", states)
                .withDetail("lost", book.lostCount());
        book.lost().stream()
                .findFirst()
                .ifPresent(last -> builder.withDetail(
                        "lastLost",
                        "'" + last.lock() + "' with token " + last.token() + " at " + last.at() + ": " + last.reason()
                                + (last.detail().isEmpty() ? "" : ", " + last.detail())));
    }

    private static String text(NodeStatus node) {
        return node.state() + (node.detail().isEmpty() ? "" : ": " + node.detail());
    }
}
