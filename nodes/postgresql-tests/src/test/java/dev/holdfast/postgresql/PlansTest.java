package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No statement walks through a table or an index, even if the statistics say that it is empty. */
@Tag("slow")
class PlansTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String SESSIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'";
    private static final String MARKS = "SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'mark'";
    private static final int LEASES = 3_000;
    private static final int TOGETHER = 100;
    private static final int MEASURED = 20;
    private static final int MOST_READ = 20; // rows and entries of indexes for each request

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start(Map.of("autovacuum", "off"));

    private static int marks;

    @BeforeAll
    static void prepareServer() {
        DATABASE.execute("CREATE TABLE mark (nothing int)");
    }

    @Test
    void requestsReadFewRowsAfterAnAnalyzeOfEmptyTables() throws SQLException {
        carryOut(LEASES, PlansTest::acquire);
        carryOut(LEASES, PlansTest::release);
        DATABASE.execute("DELETE FROM holdfast.resource");
        DATABASE.execute("VACUUM ANALYZE");
        carryOut(LEASES, PlansTest::acquire);
        long before = read();

        carryOut(MEASURED, i -> acquire(LEASES + i));
        carryOut(MEASURED, PlansTest::release);
        carryOut(MEASURED, i -> acquire(LEASES - 1 - i)); // not quiet: these extend

        assertThat(read() - before).isLessThan(3L * MEASURED * MOST_READ);
    }

    /** Carries out requests in a session of its own, which therefore makes its own plans, and which reports its statistics at its end. */
    private static void carryOut(int requests, IntFunction<LockCall> request) throws SQLException {
        Schema schema = new Schema(Schema.DEFAULT_NAME);
        try (Connection connection = DATABASE.connect();
                Link link = new Link(connection, schema, 3_600_000)) {
            try {
                schema.ensure(connection);
            } catch (SetupException e) {
                throw new AssertionError(e);
            }
            link.connect();
            int together = Math.min(requests, TOGETHER);
            for (int i = 0; i < requests; i += together) {
                link.carryOut(IntStream.range(i, i + together).mapToObj(request).toList());
            }
        }
    }

    private static LockCall acquire(int i) {
        return LockCall.of(
                new AcquireRequest(
                        "lock:" + i,
                        owner(i),
                        LockMode.EX,
                        new AcquireRequest.Terms(3_600_000, 3_600_000, 1),
                        false,
                        AcquireRequest.Update.NONE),
                0);
    }

    private static LockCall release(int i) {
        return LockCall.of(new ReleaseRequest("lock:" + i, owner(i), 0), 0);
    }

    private static OwnerId owner(int i) {
        return new OwnerId("plans~00000000", 1 + i, 0);
    }

    /**
     * Returns how many rows and entries of indexes all sessions have read that have ended. Before PostgreSQL 15, a process of its own collects what
     * sessions report, and shows it later. It takes the reports in their order, so a mark that is set last shows that the others are there.
     */
    private static long read() throws SQLException {
        String sql =
                "SELECT sum(s.seq_tup_read) + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.schemaname = 'holdfast')"
                        + " FROM pg_stat_user_tables s WHERE s.schemaname = 'holdfast' AND s.relname <> 'node'";
        try (Connection connection = DATABASE.connect();
                Statement statement = connection.createStatement()) {
            await().atMost(SOON).until(() -> number(statement, SESSIONS) == 1); // the others have ended
            DATABASE.execute("INSERT INTO mark VALUES (NULL)");
            marks++;
            await().atMost(SOON).until(() -> number(statement, MARKS) == marks);
            return number(statement, sql);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
