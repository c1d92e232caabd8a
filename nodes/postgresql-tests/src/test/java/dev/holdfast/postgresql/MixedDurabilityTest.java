package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireAnswer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of one server that differ in {@code synchronous_commit}: a crash may lose the commits of {@code batch}, and none of {@code web}. */
@Tag("slow")
class MixedDurabilityTest extends NodeOnPostgres {

    @AutoClose
    private static final TestDatabase DATABASE =
            TestDatabase.start(Map.of("wal_writer_delay", "10s", "wal_writer_flush_after", "100MB"));

    MixedDurabilityTest() {
        super(Duration.ofSeconds(60));
    }

    /** The server writes a commit without a wait to the disk ten seconds later, or together with the next one that waits. */
    @BeforeAll
    static void prepareServer() {
        for (String role : new String[] {"web", "batch", "nearby"}) {
            DATABASE.execute("CREATE ROLE " + role + " LOGIN SUPERUSER");
        }
        DATABASE.execute("ALTER ROLE batch SET synchronous_commit = off");
        DATABASE.execute("ALTER ROLE nearby SET synchronous_commit = local");
    }

    @BeforeEach
    void createSchema() {
        DATABASE.execute("DROP SCHEMA IF EXISTS holdfast CASCADE");
        DATABASE.execute(new Schema("holdfast").creation());
    }

    private void open(String role) {
        if (node != null) {
            node.close();
        }
        node = new PostgresNodeProvider()
                .open("postgresql://" + role + "@localhost:" + DATABASE.port() + "/postgres", context(ttl -> 10 * ttl));
        await().atMost(patience)
                .until(() -> node.status().toCompletableFuture().join().server().id() != null);
    }

    private static Connection connect(String role) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://localhost:" + DATABASE.port() + "/postgres", role, "");
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Connects a client of this role, and returns the time of the last loss. */
    private static long lostAt(String role) {
        try (Connection connection = connect(role)) {
            return Long.parseLong(one(connection, "SELECT o.lost_at FROM holdfast.open() o"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean hasStart() {
        try (Connection connection = connect("web")) {
            return one(connection, "SELECT run LIKE '%/%/%' FROM holdfast.node").equals("t");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void crash() {
        DATABASE.kill();
        DATABASE.restart();
    }

    @Test
    void aCrashThatMayHaveLostAVoteQuarantinesTheNodeForAllClients() {
        open("web");
        open("batch");
        open("web");
        open("batch");
        assertThat(ask("lock:job", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);

        crash();
        open("web");

        assertThat(ask("lock:job", 2, false)).isInstanceOf(AcquireAnswer.Quarantined.class);
        assertThat(node.quarantineMillis(60_000)).isPositive();
    }

    @Test
    void aClientThatConnectsIsNoLoss() {
        assertThat(lostAt("web")).isZero();
        assertThat(lostAt("batch")).isZero();
        assertThat(lostAt("web")).isZero();
        assertThat(hasStart()).as("not taken back").isTrue();
        assertThat(lostAt("batch")).isZero();
    }

    @Test
    void aCrashWithoutClientsWhoseCommitsItMayLoseIsNoLoss() {
        lostAt("web");
        crash();
        assertThat(lostAt("web")).isZero();
        assertThat(lostAt("batch")).as("the first one after the crash").isZero();
    }

    @Test
    void eachStartAfterSuchAClientIsOneLoss() {
        lostAt("batch");
        lostAt("web");
        crash();
        long first = lostAt("web");
        assertThat(first).isPositive();
        assertThat(hasStart()).as("no such client in this start").isFalse();
        assertThat(lostAt("batch")).isEqualTo(first);
        assertThat(lostAt("web")).isEqualTo(first);

        crash();
        long second = lostAt("batch");
        assertThat(second).isGreaterThan(first);
        assertThat(lostAt("web")).isEqualTo(second);

        crash();
        long third = lostAt("web");
        assertThat(third).isGreaterThan(second);
        crash();
        assertThat(lostAt("web")).as("only durable clients since then").isEqualTo(third);
    }

    /** The row would otherwise be lost together with the votes that follow it. */
    @Test
    void theRowThatNamesTheStartIsOnTheDiskBeforeAnyVote() {
        lostAt("web");
        lostAt("batch");
        crash();
        assertThat(hasStart()).isTrue();
        assertThat(lostAt("web")).isPositive();
    }

    /** A process of the server that ends badly costs all commits that are not on the disk, and the server continues with the same start. */
    @Test
    void aCrashOfOneProcessOfTheServerIsALoss() throws SQLException {
        lostAt("web");
        lostAt("batch");
        crashOneProcess();
        long lost = lostAt("web");
        assertThat(lost).isPositive();
        assertThat(hasStart()).isFalse();
        assertThat(lostAt("batch")).isEqualTo(lost);

        crashOneProcess();
        assertThat(lostAt("batch")).isGreaterThan(lost);
    }

    private void crashOneProcess() throws SQLException {
        try (Connection connection = connect("web")) {
            String pid = one(connection, "SELECT pg_backend_pid()");
            ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
            await().atMost(patience).until(() -> !connection.isValid(1));
        }
        await().atMost(patience).ignoreExceptions().until(() -> {
            try (Connection connection = connect("web")) {
                return connection.isValid(5);
            }
        });
    }

    /** With version 6, the row of the last client decided, so it may lack the start. */
    @Test
    void anOldConnectionWhoseCommitsACrashMayLoseEndsWithTheStep() throws SQLException {
        Schema schema = new Schema("holdfast");
        DATABASE.execute("DROP SCHEMA holdfast CASCADE");
        for (int step = 1; step < 7; step++) {
            DATABASE.execute(schema.step(step));
        }
        try (Connection batch = connect("batch");
                Connection web = connect("web")) {
            String batchRun = one(batch, "SELECT o.run FROM holdfast.open() o");
            String batchProcess = one(batch, "SELECT o.process FROM holdfast.open() o");
            String webProcess = one(web, "SELECT o.process FROM holdfast.open() o");

            DATABASE.execute(schema.step(7));

            one(web, serve(webProcess));
            assertThatThrownBy(() -> one(batch, serve(batchProcess))).hasMessageContaining("another server or run");
            assertThatThrownBy(() -> one(batch, serve(batchRun))).hasMessageContaining("another server or run");
            one(batch, serve(one(batch, "SELECT o.process FROM holdfast.open() o")));
            one(batch, serve(one(batch, "SELECT c.run FROM holdfast.connect() c")));
            one(web, serve(one(web, "SELECT c.run FROM holdfast.connect() c")));
            one(web, serve(webProcess));
            assertThat(hasStart()).isTrue();
        }
    }

    private static String serve(String run) {
        return "SELECT count(*) FROM holdfast.serve('" + run
                + "', NULL, 3600000, 1, 0, '{A}', '{0}', '{lock:a}', '{a~00000000/1/0}',"
                + " '{60000}', '{5}', '{60000}', '{1}', '{}', '{f}', '{}', '{}', '{}', '{}', '{}')";
    }

    /** Otherwise a standby that is promoted could take itself for one that has every commit. */
    @Test
    void aClientWhoseCommitsWaitForNoStandbyIsReadyOnceTheStandbyKnows() throws Exception {
        lostAt("web");
        DATABASE.execute(
                "SET synchronous_commit = local; UPDATE holdfast.node SET complete = '{s1}', complete_at = now()");
        try {
            standbys("s1");
            CompletableFuture<Long> ready = CompletableFuture.supplyAsync(() -> lostAt("nearby"));
            try (Connection connection = connect("nearby")) {
                await().atMost(patience)
                        .until(() -> one(
                                        connection,
                                        "SELECT count(*) FROM pg_stat_activity WHERE usename = 'nearby' AND wait_event = 'SyncRep'")
                                .equals("1"));
                assertThat(ready).isNotDone();
            }
            standbys("");
            assertThat(ready.get()).isZero();
        } finally {
            standbys("");
        }
    }

    private void standbys(String names) throws SQLException {
        try (Connection connection = connect("nearby");
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
            statement.execute("SELECT pg_reload_conf()");
            await().atMost(patience)
                    .until(() ->
                            one(connection, "SHOW synchronous_standby_names").equals(names));
        }
    }
}
