package dev.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
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

/** A cluster of three servers, which divide the locks into three groups with a leader each, keeps the contract of every node. */
@Tag("slow")
class GroupsContractTest extends LockNodeContract {

    private static final int GROUPS = 3;
    private static final Timing TIMING = Timing.system("groups-contract");

    @TempDir
    static Path folder;

    private static TrialCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = new TrialCluster(folder, TIMING, GROUPS);
        cluster.awaitSpread();
        cluster.electLater(Duration.ofSeconds(50));
        cluster.awaitSpread();
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
        TIMING.scheduler().close();
    }

    /** Connects a client, and waits until it is connected to the leaders of all groups: only then it has a list of names. */
    @Override
    protected LockNode connect(String client, NodeListener listener) {
        LockNode node = cluster.connect(client, listener);
        await().atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> node.list("none", 1).toCompletableFuture().get() instanceof ListAnswer.Names);
        return node;
    }

    /** Each group's log time advances with its leader's monotonic clock, which is this machine's. */
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
        return cluster.leader(LockGroups.of(resource, GROUPS)).groupOf(resource).millis();
    }
}
