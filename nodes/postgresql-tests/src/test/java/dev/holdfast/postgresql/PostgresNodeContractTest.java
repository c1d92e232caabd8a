package dev.holdfast.postgresql;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.testkit.ContractOf;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

@ContractOf(PostgresNodeProvider.class)
@Tag("slow")
class PostgresNodeContractTest extends LockNodeContract {

    private static final Timing TIMING = Timing.system("contract");

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return new PostgresNodeProvider()
                .open(
                        DATABASE.uri(),
                        new NodeContext(
                                client,
                                listener,
                                NodeOptions.defaults(),
                                TIMING,
                                new NodeContext.Times(
                                        ttlMillis -> 0, Duration.ofHours(1).toMillis(), 30_000),
                                3));
    }

    @Override
    protected void elapse(Duration length) { // the server's clock is this machine's
        long until = nodeMillis() + length.toMillis();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> nodeMillis() > until);
    }
}
