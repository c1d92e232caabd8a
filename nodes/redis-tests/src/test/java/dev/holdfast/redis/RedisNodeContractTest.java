package dev.holdfast.redis;

import static org.awaitility.Awaitility.await;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.testkit.ContractOf;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.time.Timing;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@ContractOf(RedisNodeProvider.class)
@Tag("slow")
class RedisNodeContractTest extends LockNodeContract {

    private static final Timing TIMING = Timing.system("contract");
    private static TestServer server;
    private static RedisCommands<String, String> redis;

    @BeforeAll
    static void startServer() {
        server = TestServer.start();
        redis = server.commands();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return new RedisNodeProvider()
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

    @Override
    protected void elapse(Duration length) {
        long until = nodeMillis() + length.toMillis();
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                // Whole milliseconds: only in the next one has all of the length gone by, and a key lives through its
                // last.
                .until(() -> nodeMillis() > until);
    }

    @Override
    protected long nodeMillis() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }
}
