package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server on which another program listens and stays in a transaction, which keeps the queue of notifications from being emptied. */
@Tag("slow")
class FullNotificationQueueTest extends NodeOnPostgres {

    private static final int FIRST_WITH_A_LIMIT = 170_000;
    private static final String FILL = "SELECT pg_notify('other', repeat('x', 7900) || i) FROM generate_series(1, 8) i";

    @AutoClose
    private final TestDatabase database = TestDatabase.start();

    @AutoClose
    private Connection stuck;

    FullNotificationQueueTest() {
        super(Duration.ofSeconds(60));
    }

    @BeforeEach
    void start() throws SQLException {
        try (Connection connection = database.connect()) {
            assumeTrue(
                    connection.getMetaData().getDatabaseMajorVersion() * 10_000 >= FIRST_WITH_A_LIMIT,
                    "before PostgreSQL 17 the queue always has 8 GB");
        }
        database.execute("ALTER SYSTEM SET max_notify_queue_pages = 64");
        database.kill();
        database.restart();
        stuck = database.connect();
        try (Statement statement = stuck.createStatement()) {
            statement.execute("LISTEN mine");
            stuck.setAutoCommit(false);
            statement.execute("SELECT 1");
        }
    }

    private void fill() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            while (usage(statement) < 0.9) {
                statement.execute(FILL);
            }
        }
    }

    private static double usage(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT pg_notification_queue_usage()")) {
            row.next();
            return row.getDouble(1);
        }
    }

    private void open() {
        node = new PostgresNodeProvider().open(database.uri(), context(ttl -> 0));
        untilAvailable();
    }

    private void release(long ticket) {
        assertThat(node.release(new ReleaseRequest("lock:a", new OwnerId(CLIENT, ticket, 0), 0))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(ReleaseAnswer.Released.class);
    }

    @Test
    void aClientThatConnectsThenPolls() throws SQLException {
        fill();
        open();
        assertThat(node.status().toCompletableFuture().join().server().warnings())
                .anyMatch(line -> line.contains("pg_notification_queue_usage") && line.contains("waiters poll"));
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);

        release(1);

        await().atMost(patience)
                .untilAsserted(() -> assertThat(listener.pushes("lock:a"))
                        .anySatisfy(push -> assertThat(push)
                                .isInstanceOfSatisfying(
                                        Push.Granted.class,
                                        granted -> assertThat(granted.owner().attempt())
                                                .isEqualTo(2))));
    }

    @Test
    void aClientThatListensHandsTheLockOverAllTheSame() throws SQLException {
        open();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);
        fill();
        assertThatThrownBy(() -> database.execute(FILL + "; " + FILL)).hasMessageContaining("too many notifications");

        release(1);

        assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Granted.class);
    }
}
