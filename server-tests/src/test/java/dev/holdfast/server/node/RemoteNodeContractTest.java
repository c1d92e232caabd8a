package dev.holdfast.server.node;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.LockServer;
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
        return new RemoteNodeProvider()
                .open(
                        server.nodeUri(),
                        new NodeContext(
                                client,
                                listener,
                                NodeOptions.defaults(),
                                TIMING,
                                new NodeContext.Times(
                                        ttlMillis -> 0, Duration.ofHours(1).toMillis(), 30_000),
                                3));
    }

    /** The server's clock is this machine's. */
    @Override
    protected void elapse(Duration length) {
        long until = TIMING.ticker().nanos() + length.toNanos();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> TIMING.ticker().nanos() - until > 0);
    }
}
