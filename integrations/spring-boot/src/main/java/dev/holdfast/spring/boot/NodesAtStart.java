package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.locked.ClientText;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The wait for the nodes at the end of the start, so that the first locked call does not come too early. The client connects while Spring creates the other
 * beans. This bean then waits for a majority, before the web server accepts requests and schedulers run tasks. It ends the wait, with a warning, when
 * every node has been tried or the time ends, so that the application also starts without its nodes. With lazy initialization it does nothing.
 */
final class NodesAtStart implements SmartInitializingSingleton {

    private static final Log LOG = LogFactory.getLog(NodesAtStart.class);

    /** The detail of a node's status before the first connection attempt has ended. */
    private static final String UNTRIED = "not connected yet";

    private static final Duration GLANCE = Duration.ofMillis(5);

    private final Holdfast holdfast;
    private final Duration longest;

    /**
     * Creates the wait from the properties; zero as the longest time disables it.
     *
     * @throws HoldfastPropertyException if a wait in the properties is negative
     */
    static NodesAtStart of(Holdfast holdfast, HoldfastProperties properties) {
        requireWait("holdfast.locked.wait-for", properties.locked().waitFor());
        requireWait("holdfast.await-nodes-at-start", properties.awaitNodesAtStart());
        return new NodesAtStart(holdfast, properties.awaitNodesAtStart());
    }

    private static void requireWait(String property, Duration wait) {
        if (wait.isNegative()) {
            throw new HoldfastPropertyException(
                    property,
                    "it is " + DurationText.exact(wait)
                            + ", but must be 0 or more, since it is the longest time of a wait",
                    "Set a duration such as 30s; 0 does not wait.",
                    null);
        }
    }

    /** Creates the wait; zero as the longest time disables it. */
    NodesAtStart(Holdfast holdfast, Duration longest) {
        this.holdfast = holdfast;
        this.longest = longest;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (longest.isZero()) {
            return;
        }
        Timing timing = Timing.system("holdfast-start");
        try {
            CompletableFuture<Boolean> over = new CompletableFuture<>();
            timing.scheduler().schedule(longest.toNanos(), () -> over.complete(true));
            List<NodeStatus> nodes = holdfast.admin().nodes();
            while (!hasMajority(nodes) && !areTried(nodes) && !over.isDone()) {
                CompletableFuture<Boolean> glance = new CompletableFuture<>();
                timing.scheduler().schedule(GLANCE.toNanos(), () -> glance.complete(true));
                glance.join();
                nodes = holdfast.admin().nodes();
            }
            if (!hasMajority(nodes)) {
                LOG.warn(describe(nodes));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            timing.scheduler().close();
        }
    }

    private static boolean hasMajority(List<NodeStatus> nodes) {
        return reached(nodes) > nodes.size() / 2;
    }

    private static long reached(List<NodeStatus> nodes) {
        return nodes.stream().filter(NodesAtStart::isReached).count();
    }

    private static boolean isReached(NodeStatus node) {
        return node.state() == NodeStatus.State.UP || node.state() == NodeStatus.State.QUARANTINED;
    }

    private static boolean areTried(List<NodeStatus> nodes) {
        return nodes.stream().noneMatch(node -> node.detail().equals(UNTRIED));
    }

    private static String describe(List<NodeStatus> nodes) {
        return "The application starts without its locks: it has reached " + reached(nodes) + " of " + nodes.size()
                + " nodes, but a lock needs a majority. The client keeps trying to connect; until then locked methods"
                + " wait and fail. "
                + nodes.stream()
                        .filter(node -> !isReached(node))
                        .map(node -> node.name() + " is " + ClientText.state(node))
                        .collect(Collectors.joining("; "));
    }
}
