package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.testkit.RecordingListener;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A test of one node on a PostgreSQL server whose state changes. */
abstract class NodeOnPostgres {

    static final Timing TIMING = Timing.system("postgresql");
    static final String CLIENT = "postgresql~00000000";
    static final AcquireRequest.Terms TERMS = new AcquireRequest.Terms(60_000, 60_000, 1);

    final RecordingListener listener = new RecordingListener();
    final Duration patience;
    LockNode node;

    NodeOnPostgres(Duration patience) {
        this.patience = patience;
    }

    @AfterEach
    void closeNode() {
        if (node != null) {
            node.close();
        }
    }

    /** Returns the context of the node's client, with a quarantine for each ttl. */
    NodeContext context(LongUnaryOperator quarantine) {
        NodeContext.Times times = new NodeContext.Times(quarantine, 3_600_000, 30_000);
        return new NodeContext(CLIENT, listener, NodeOptions.defaults(), TIMING, times, 3);
    }

    void learns(String... parts) {
        await().atMost(patience)
                .untilAsserted(() -> assertThat(listener.connection())
                        .anySatisfy(line -> assertThat(line).contains(parts)));
    }

    void untilAvailable() {
        await().atMost(patience).until(() -> listener.serverId() != null);
    }

    AcquireAnswer ask(String resource, long ticket, boolean queue) {
        return ask(resource, ticket, queue, AcquireRequest.Update.NONE);
    }

    AcquireAnswer ask(String resource, long ticket, boolean queue, AcquireRequest.Update update) {
        return node.acquire(request(resource, ticket, queue, update))
                .toCompletableFuture()
                .join();
    }

    static AcquireRequest request(String resource, long ticket, boolean queue, AcquireRequest.Update update) {
        return new AcquireRequest(resource, new OwnerId(CLIENT, ticket, 0), LockMode.EX, TERMS, queue, update);
    }
}
