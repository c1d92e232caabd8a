package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.Effort;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Only a release that nothing depends on does without a flush to the disk. The server is killed as soon as it has answered, and writes its log as late
 * as it can, so a commit without a flush is lost nearly always.
 */
@Tag("slow")
class QuietReleasesTest extends NodeOnPostgres {

    private static final int ROUNDS = Effort.of(1, 5);
    private static final AcquireRequest.Terms BRIEF = new AcquireRequest.Terms(5_000, 5_000, 1);

    @AutoClose
    private static final TestDatabase DATABASE =
            TestDatabase.start(Map.of("wal_writer_delay", "10s", "wal_writer_flush_after", "100MB"));

    QuietReleasesTest() {
        super(Duration.ofSeconds(60));
    }

    @BeforeEach
    void open() {
        node = new PostgresNodeProvider().open(DATABASE.uri(), context(ttl -> 0));
        untilAvailable();
    }

    private static OwnerId owner(long ticket) {
        return new OwnerId(CLIENT, ticket, 0);
    }

    private static ReleaseRequest plain(String resource, long ticket) {
        return new ReleaseRequest(resource, owner(ticket), 0);
    }

    private long granted(String resource, long ticket) {
        AcquireAnswer answer = ask(resource, ticket, false);
        assertThat(answer).isInstanceOf(AcquireAnswer.Granted.class);
        return ((AcquireAnswer.Granted) answer).fence();
    }

    private void released(ReleaseRequest request) {
        assertThat(node.release(request).toCompletableFuture().join()).isInstanceOf(ReleaseAnswer.Released.class);
    }

    private ResourceState state(String resource) {
        return (ResourceState) node.inspect(resource).toCompletableFuture().join();
    }

    private void crash() {
        DATABASE.kill();
        await().atMost(patience).until(() -> listener.serverId() == null);
        DATABASE.restart();
        untilAvailable();
    }

    @Test
    void onlyABatchOfQuietReleasesIsCommittedWithoutAFlush() throws SQLException {
        try (Connection connection = DATABASE.connect();
                Link link = new Link(connection, new Schema(Schema.DEFAULT_NAME), 3_600_000)) {
            link.connect();
            for (long ticket = 1; ticket <= 9; ticket++) {
                granted("lock:" + ticket, ticket);
            }
            granted("lock:10", 10);
            assertThat(ask("lock:10", 11, true)).isInstanceOf(AcquireAnswer.Queued.class);
            LockValue value = new LockValue(1, 1, "value");
            LockCall quiet = LockCall.of(plain("lock:1", 1), 0);

            assertThat(committed(link, List.of(quiet))).isEqualTo("off");
            assertThat(committed(link, List.of(LockCall.of(plain("lock:2", 2), 0), LockCall.of(plain("lock:3", 3), 0))))
                    .isEqualTo("off");

            assertThat(committed(link, List.of(quiet))).as("no vote").isEqualTo("on");
            assertThat(committed(link, List.of(LockCall.of(new ReleaseRequest("lock:4", owner(4), 1_000), 0))))
                    .as("a tombstone")
                    .isEqualTo("on");
            assertThat(committed(link, List.of(LockCall.of(new ReleaseRequest("lock:5", owner(5), 0, null, value), 0))))
                    .as("a value")
                    .isEqualTo("on");
            assertThat(committed(
                            link,
                            List.of(LockCall.of(
                                    new ReleaseRequest("lock:6", owner(6), 0, new Seal("by", 0, 1_000)), 0))))
                    .as("a seal")
                    .isEqualTo("on");
            assertThat(committed(
                            link,
                            List.of(
                                    LockCall.of(plain("lock:7", 7), 0),
                                    LockCall.of(new ReleaseRequest("lock:8", owner(8), 0, null, value), 0))))
                    .as("a value in the same batch")
                    .isEqualTo("on");
            assertThat(committed(
                            link,
                            List.of(
                                    LockCall.of(plain("lock:9", 9), 0),
                                    LockCall.of(request("lock:12", 12, false, AcquireRequest.Update.NONE), 0))))
                    .as("a grant in the same batch")
                    .isEqualTo("on");
            assertThat(committed(link, List.of(LockCall.of(plain("lock:10", 10), 0))))
                    .as("a waiter")
                    .isEqualTo("on");
        }
    }

    /** Carries out requests, and returns how the server commits their transaction. */
    private static String committed(Link link, List<LockCall> calls) throws SQLException {
        link.connection().setAutoCommit(false);
        link.carryOut(calls);
        String setting = setting(link.connection());
        link.connection().commit();
        link.connection().setAutoCommit(true);
        assertThat(setting(link.connection())).as("the next transaction").isEqualTo("on");
        return setting;
    }

    private static String setting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aReleaseWithAValueOrASealSurvivesACrash() {
        for (int round = 0; round < ROUNDS; round++) {
            String valued = "lock:valued" + round;
            String sealed = "lock:sealed" + round;
            LockValue value = new LockValue(granted(valued, 1), 1, "value " + round);
            granted(sealed, 1);
            released(new ReleaseRequest(valued, owner(1), 0, null, value));
            released(new ReleaseRequest(sealed, owner(1), 0, new Seal("by", 0, 3_600_000)));

            crash();

            assertThat(state(valued).value()).isEqualTo(value);
            assertThat(state(valued).holders()).isEmpty();
            assertThat(state(sealed).seal()).isNotNull();
            assertThat(state(sealed).holders()).isEmpty();
        }
    }

    @Test
    void aTokenThatIsGivenAfterAReleaseSurvivesACrashAndSoDoesTheRelease() {
        for (int round = 0; round < ROUNDS; round++) {
            String resource = "lock:tokens" + round;
            long first = granted(resource, 1);
            released(plain(resource, 1));
            long second = granted(resource, 2);
            assertThat(second).isGreaterThan(first);

            crash();

            ResourceState state = state(resource);
            assertThat(state.fence()).isEqualTo(second);
            assertThat(state.holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.owner()).isEqualTo(owner(2).toString()));
            released(plain(resource, 2));
            assertThat(granted(resource, 3)).isGreaterThan(second);
        }
    }

    @Test
    void aReleaseThatACrashLosesLeavesAVoteUntilItsTtlAndNothingElse() {
        for (int round = 0; round < ROUNDS; round++) {
            String resource = "lock:lost" + round;
            AcquireAnswer first = node.acquire(new AcquireRequest(
                            resource, owner(1), LockMode.EX, BRIEF, false, AcquireRequest.Update.NONE))
                    .toCompletableFuture()
                    .join();
            ResourceState before = state(resource);
            released(plain(resource, 1));

            crash();

            assertThat(state(resource).fence()).isEqualTo(before.fence());
            assertThat(state(resource).holders().stream()
                            .map(ResourceState.Holder::owner)
                            .toList())
                    .isSubsetOf(owner(1).toString());
            await().atMost(patience)
                    .untilAsserted(() -> assertThat(ask(resource, 2, false)).isInstanceOf(AcquireAnswer.Granted.class));
            assertThat(state(resource).fence()).isGreaterThan(((AcquireAnswer.Granted) first).fence());
        }
    }
}
