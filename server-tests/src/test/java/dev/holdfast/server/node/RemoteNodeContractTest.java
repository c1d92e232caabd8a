package dev.holdfast.server.node;

import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.RemoteNodes;
import dev.holdfast.server.client.RemoteNodeProvider;
import dev.holdfast.testkit.ContractOf;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@ContractOf(RemoteNodeProvider.class)
@Tag("slow")
class RemoteNodeContractTest extends LockNodeContract {

    private static final Timing TIMING = Timing.system("contract");
    private static LockServer server;

    @BeforeAll
    static void startServer() {
        server = LockServer.builder().port(0).start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
        TIMING.scheduler().close();
    }

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return RemoteNodes.open(server.nodeUri(), 3, client, listener, NodeOptions.defaults(), TIMING);
    }

    /** The server's clock is this machine's. */
    @Override
    protected void elapse(Duration length) {
        RemoteNodes.elapse(TIMING, length);
    }

    /** The server refuses fences that its time reaches in more than a century. */
    @Override
    protected long largestFloor() {
        return FenceFromTime.ofAbsent(
                System.currentTimeMillis() + Duration.ofDays(36_500).toMillis());
    }
}
