package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.testkit.RecordingListener;
import dev.holdfast.time.Timing;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed keeps its votes; a server that was promoted is quarantined, since it may lack the last of them. */
@Tag("slow")
class FailoverTest {

    private static final Timing TIMING = Timing.system("failover");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CLIENT = "failover~00000000";

    private final TestDatabase database = TestDatabase.start();
    private final RecordingListener listener = new RecordingListener();
    private LockNode node;

    @BeforeEach
    void open() {
        NodeContext context = new NodeContext(
                CLIENT,
                listener,
                NodeOptions.defaults(),
                TIMING,
                new NodeContext.Times(ttl -> 10 * ttl, 3_600_000, 30_000),
                3);
        node = new PostgresNodeProvider().open(database.uri(), context);
        untilAvailable();
    }

    @AfterEach
    void close() {
        node.close();
        database.close();
    }

    private void learns(String... parts) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(listener.connection())
                        .anySatisfy(line -> assertThat(line).contains(parts)));
    }

    private void untilAvailable() {
        await().atMost(PATIENCE).until(() -> listener.serverId() != null);
    }

    private AcquireAnswer ask(String resource, long ticket, boolean queue) {
        return node.acquire(new AcquireRequest(
                        resource,
                        new OwnerId(CLIENT, ticket, 0),
                        LockMode.EX,
                        new AcquireRequest.Terms(60_000, 60_000, 1),
                        queue,
                        AcquireRequest.Update.NONE))
                .toCompletableFuture()
                .join();
    }

    @Test
    void aDurableServerThatIsKilledKeepsItsVotesAndIsNotQuarantined() {
        String run = listener.serverId();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);

        database.kill();
        await().atMost(PATIENCE).until(() -> listener.serverId() == null);
        database.restart();
        untilAvailable();

        assertThat(listener.serverId()).isEqualTo(run);
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, false)).isInstanceOf(AcquireAnswer.Denied.class);
    }

    @Test
    void aStandbyIsRefusedAndQuarantinedOnceItIsPromoted() {
        String run = listener.serverId();
        long before = ((AcquireAnswer.Granted) ask("lock:a", 1, false)).fence();

        database.becomeStandby();
        learns("refused", "hot standby", "address of the primary");
        database.execute("SELECT pg_promote()");
        untilAvailable();

        assertThat(listener.serverId()).as("another timeline").isNotEqualTo(run);
        assertThat(ask("lock:b", 2, false)).isInstanceOf(AcquireAnswer.Quarantined.class);
        assertThat(node.status().toCompletableFuture().join().state()).isEqualTo(NodeStatus.State.QUARANTINED);
        AcquireAnswer kept = node.acquire(new AcquireRequest(
                        "lock:a",
                        new OwnerId(CLIENT, 1, 0),
                        LockMode.EX,
                        new AcquireRequest.Terms(60_000, 60_000, 1),
                        false,
                        new AcquireRequest.Update(before, true, null)))
                .toCompletableFuture()
                .join();
        assertThat(kept)
                .as("a vote that the node still has proves that it was not lost")
                .isInstanceOf(AcquireAnswer.Granted.class);
    }
}
