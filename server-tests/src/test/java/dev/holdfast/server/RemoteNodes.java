package dev.holdfast.server;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteNodeProvider;
import dev.holdfast.time.Timing;
import java.time.Duration;

/** Nodes that are servers of this machine, without a client around them. */
public final class RemoteNodes {

    private RemoteNodes() {}

    /** Opens one of a client's {@code nodes}, which it does not quarantine. */
    public static LockNode open(
            String uri, int nodes, String client, NodeListener listener, NodeOptions options, Timing timing) {
        NodeContext.Times times =
                new NodeContext.Times(ttlMillis -> 0, Duration.ofHours(1).toMillis(), 60_000);
        return new RemoteNodeProvider().open(uri, new NodeContext(client, listener, options, timing, times, nodes));
    }

    /** Waits until the servers' clock, which is this machine's, has advanced by more than this. */
    public static void elapse(Timing timing, Duration length) {
        long until = timing.ticker().nanos() + length.toNanos();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> timing.ticker().nanos() - until > 0);
    }
}
