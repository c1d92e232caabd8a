package dev.holdfast.server.node;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteNodeProvider;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Three servers of a cluster, reached by their ports, keep the contract of every node. */
@Tag("slow")
class ServedClusterContractTest extends LockNodeContract {

    private static final Timing TIMING = Timing.system("contract");

    @TempDir
    private static Path folder;

    private static ServedCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = new ServedCluster(folder);
        cluster.leader();
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
        TIMING.scheduler().close();
    }

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return new RemoteNodeProvider()
                .open(
                        cluster.uri(),
                        new NodeContext(
                                client,
                                listener,
                                NodeOptions.defaults(),
                                TIMING,
                                new NodeContext.Times(
                                        ttlMillis -> 0, Duration.ofHours(1).toMillis(), 30_000),
                                1));
    }

    /** Log time follows the leader's clock, which is this machine's. */
    @Override
    protected void elapse(Duration length) {
        long until = TIMING.ticker().nanos() + length.toNanos();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> TIMING.ticker().nanos() - until > 0);
    }
}
