package dev.holdfast.server.node;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.RemoteNodes;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Three servers of a cluster with three groups of locks, reached by their ports, keep the contract of every node. */
@Tag("slow")
class ServedClusterContractTest extends LockNodeContract {

    private static final int GROUPS = 3;

    /** The contract expects direct answers, so a busy machine must not cause an election. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(10);

    private static final Timing TIMING = Timing.system("contract");

    @TempDir
    private static Path folder;

    private static ServedCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = ServedCluster.withGroups(folder, GROUPS, ELECTION_TIMEOUT);
        cluster.awaitEvenLeads(); // from now on, no lead moves
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
        TIMING.scheduler().close();
    }

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return RemoteNodes.open(cluster.uri(), 1, client, listener, NodeOptions.defaults(), TIMING);
    }

    /** Log time follows the leader's clock, which is this machine's. */
    @Override
    protected void elapse(Duration length) {
        RemoteNodes.elapse(TIMING, length);
    }

    /** Log time stands still while there is no leader, which may take seconds on a busy machine. A new lock of the same group shows it. */
    @Override
    protected long nodeMillis() {
        String name = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> resource + i)
                .filter(one -> LockGroups.of("lock:" + one, GROUPS) == LockGroups.of(resource, GROUPS))
                .findFirst()
                .orElseThrow();
        try (Holdfast client = Holdfast.builder().nodes(cluster.uri()).connect();
                Lease lease = client.lock(name).acquire()) {
            return (lease.fencingToken() >> 20) * 1_000;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The server refuses fences that its time reaches in more than a century. */
    @Override
    protected long largestFloor() {
        return FenceFromTime.ofAbsent(
                System.currentTimeMillis() + Duration.ofDays(36_500).toMillis());
    }
}
