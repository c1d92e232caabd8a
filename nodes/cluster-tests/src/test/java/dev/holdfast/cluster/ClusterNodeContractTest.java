package dev.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of three servers keeps the contract of every node. */
@Tag("slow")
class ClusterNodeContractTest extends LockNodeContract {

    private static final Timing TIMING = Timing.system("cluster-contract");

    @TempDir
    static Path folder;

    private static TrialCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = new TrialCluster(folder, TIMING, Duration.ofSeconds(1), null);
        cluster.leader();
        cluster.electLater(Duration.ofSeconds(50));
        cluster.leader();
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
        TIMING.scheduler().close();
    }

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return cluster.connect(client, listener);
    }

    /** Log time advances with this machine's monotonic clock as long as one server leads. */
    @Override
    protected void elapse(Duration length) {
        long until = TIMING.ticker().nanos() + length.toNanos();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> TIMING.ticker().nanos() - until > 0);
    }

    /** Log time stands still while there is no leader, which may take seconds on a busy machine. */
    @Override
    protected long nodeMillis() {
        return cluster.leader().groupOf(resource).millis();
    }
}
