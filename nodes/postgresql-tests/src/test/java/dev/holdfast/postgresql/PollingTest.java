package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that polls, since no notification reaches it. */
@Tag("slow")
class PollingTest extends NodeOnPostgres {

    PollingTest() {
        super(Duration.ofSeconds(60));
    }

    /** LISTEN takes the channel in lowercase, but pg_notify as it is. */
    private static final String NO_NOTIFICATIONS =
            "; CREATE OR REPLACE FUNCTION holdfast.channel(p_client text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'NoChannel' $$";

    /** Records the waiters for which the client asks. */
    private static final String RECORDED = "; CREATE TABLE polled (waiter text);"
            + " CREATE OR REPLACE FUNCTION holdfast.votes_of(p_resources text[], p_owners text[])"
            + " RETURNS TABLE (resource text, owner text, fence bigint, value_token bigint, value_number bigint, value_text text)"
            + " LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.polled SELECT unnest(p_owners); END $$";

    private static boolean isPolled(Connection connection, int ticket) throws SQLException {
        String sql = "SELECT EXISTS (SELECT FROM polled WHERE waiter = '" + new OwnerId(CLIENT, ticket, 0) + "')";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void aWaiterThatGaveUpWhileTheServerWasAwayIsForgotten() throws SQLException {
        try (TestDatabase database = TestDatabase.start()) {
            database.execute(new Schema("holdfast").creation() + NO_NOTIFICATIONS + RECORDED);
            node = new PostgresNodeProvider().open(database.uri(), context(ttl -> 0));
            untilAvailable();
            assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
            assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);
            try (Connection connection = database.connect()) {
                await().atMost(patience).until(() -> isPolled(connection, 2));
            }

            database.kill();
            await().atMost(patience).until(() -> listener.serverId() == null);
            ReleaseAnswer given = node.release(new ReleaseRequest("lock:a", new OwnerId(CLIENT, 2, 0), 0))
                    .toCompletableFuture()
                    .join();
            assertThat(given).isInstanceOf(Unavailable.class);
            database.restart();
            database.execute("TRUNCATE polled");
            untilAvailable();

            assertThat(ask("lock:a", 3, true)).isInstanceOf(AcquireAnswer.Queued.class);
            try (Connection connection = database.connect()) {
                await().atMost(patience).until(() -> isPolled(connection, 3));
                assertThat(isPolled(connection, 2)).isFalse();
            }
        } finally {
            if (node != null) {
                node.close();
            }
        }
    }
}
