package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The health of a client's locks, without a class of Spring Boot, whose health indicators differ between versions.
 *
 * @param isUp whether a majority of the nodes votes
 * @param details what a health indicator shows: the state of each node, the number of leases lost since the start, and the last lost lease
 */
public record LockHealth(boolean isUp, Map<String, Object> details) {

    /** The message of an indicator that cannot read the health. */
    public static final String FAILED = "reading the state of the nodes failed";

    /** Asks the nodes, and waits at most one node timeout. */
    public static LockHealth of(Holdfast holdfast, LockBook book) throws InterruptedException {
        List<NodeStatus> nodes = holdfast.admin().nodes();
        long voting = nodes.stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .count();
        int majority = nodes.size() / 2 + 1;
        Map<String, String> states = new LinkedHashMap<>();
        for (NodeStatus node : nodes) {
            states.merge(node.name(), text(node), (one, other) -> one + "; " + other);
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("voting", voting + " of " + nodes.size() + ", " + majority + " are needed");
        details.put("nodes", states);
        details.put("lost", book.lostCount());
        book.lost().stream()
                .findFirst()
                .ifPresent(last -> details.put(
                        "lastLost",
                        "'" + last.lock() + "' with token " + last.token() + " at " + last.at() + ": " + last.reason()
                                + (last.detail().isEmpty() ? "" : ", " + last.detail())));
        return new LockHealth(voting >= majority, details);
    }

    private static String text(NodeStatus node) {
        return node.state() + (node.detail().isEmpty() ? "" : ": " + node.detail());
    }
}
