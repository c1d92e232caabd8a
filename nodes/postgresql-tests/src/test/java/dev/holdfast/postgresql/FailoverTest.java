package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed keeps its votes; a server that was promoted is quarantined, since it may lack the last of them. */
@Tag("slow")
class FailoverTest extends NodeOnPostgres {

    @AutoClose
    private final TestDatabase database = TestDatabase.start();

    FailoverTest() {
        super(Duration.ofSeconds(60));
    }

    @BeforeEach
    void open() {
        node = new PostgresNodeProvider().open(database.uri(), context(ttl -> 10 * ttl));
        untilAvailable();
    }

    @Test
    void aDurableServerThatIsKilledKeepsItsVotesAndIsNotQuarantined() {
        String run = listener.serverId();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);

        database.kill();
        await().atMost(patience).until(() -> listener.serverId() == null);
        database.restart();
        untilAvailable();

        assertThat(listener.serverId()).isEqualTo(run);
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, false)).isInstanceOf(AcquireAnswer.Denied.class);
    }

    @Test
    void aServerThatMayLoseCommitsIsWarnedOfAndQuarantinedAfterACrash() {
        database.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = off");
        database.kill();
        await().atMost(patience).until(() -> listener.serverId() == null);
        database.restart();
        untilAvailable();
        assertThat(node.status().toCompletableFuture().join().server().warnings())
                .anyMatch(warning -> warning.contains("synchronous_commit off: a crash may lose votes"));

        database.kill();
        await().atMost(patience).until(() -> listener.serverId() == null);
        database.restart();
        untilAvailable();

        assertThat(node.quarantineMillis(60_000)).isPositive();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Quarantined.class);
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
        AcquireAnswer kept = ask("lock:a", 1, false, new AcquireRequest.Update(before, true, null));
        assertThat(kept)
                .as("a vote that the node still has proves that it was not lost")
                .isInstanceOf(AcquireAnswer.Granted.class);
    }
}
