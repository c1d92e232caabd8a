package dev.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of guards in any database, at isolation READ COMMITTED. */
abstract class JdbcGuardContract {

    private final JdbcGuard guard = JdbcGuard.of(dialect());
    private static final ColumnGuard COLUMN = new ColumnGuard("stock", "item", "fence");

    private Connection connection;

    /** The dialect of the database under test. */
    abstract SqlDialect dialect();

    /** A connection that is in auto-commit mode. */
    abstract Connection open() throws SQLException;

    /** Returns this database's SQL for an auto-increment primary key. */
    abstract String countingKey();

    private Connection connect() throws SQLException {
        Connection connection = open();
        connection.setAutoCommit(false);
        return connection;
    }

    @BeforeEach
    void makeTables() throws SQLException {
        connection = connect();
        execute("DROP TABLE IF EXISTS holdfast_fence", "DROP TABLE IF EXISTS stock", "DROP TABLE IF EXISTS written");
        execute(
                guard.ddl(),
                "CREATE TABLE stock (item varchar(100) PRIMARY KEY, pieces bigint NOT NULL, fence bigint NOT NULL DEFAULT 0)",
                "INSERT INTO stock (item, pieces) VALUES ('bolt', 100)",
                "CREATE TABLE written (place " + countingKey() + ", token bigint NOT NULL)");
        connection.commit();
    }

    @AfterEach
    void close() throws SQLException {
        connection.rollback();
        connection.close();
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void equalAndLargerTokensPass() throws SQLException {
        guard.check(connection, "orders:42", 7);
        connection.commit();
        guard.check(connection, "orders:42", 7);
        guard.check(connection, "orders:42", 9);
        guard.check(connection, "orders:43", 1);
        connection.commit();
    }

    @Test
    void aSmallerTokenIsToldBoth() throws SQLException {
        guard.check(connection, "orders:42", 9);
        connection.commit();

        assertThatThrownBy(() -> guard.check(connection, "orders:42", 8))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(8);
                    assertThat(stale.newestToken()).isEqualTo(9);
                });
    }

    @Test
    void aTokenIsRememberedOnlyWithItsTransaction() throws SQLException {
        guard.check(connection, "orders:42", 9);
        connection.rollback();

        guard.check(connection, "orders:42", 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a ", "é", "日本語", "'; DROP TABLE holdfast_fence; --", "{tag}x"})
    void namesAreComparedByTheirBytes(String name) throws SQLException {
        guard.check(connection, "a", 9);
        guard.check(connection, name, 1);
        guard.check(connection, name, 2);

        assertThatThrownBy(() -> guard.check(connection, name, 1)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void aMissingTableIsToldWithTheStatementThatMakesIt() {
        JdbcGuard missing = guard.table("shop.fences");

        assertThatThrownBy(() -> missing.check(connection, "x", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("table 'shop.fences' does not exist")
                .hasMessageContaining(missing.ddl())
                .hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
        connection.setAutoCommit(true);
        try {
            assertThatThrownBy(() -> guard.check(connection, "x", 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            assertThatThrownBy(() -> COLUMN.check(connection, "bolt", 1)).isInstanceOf(IllegalStateException.class);
        } finally {
            connection.setAutoCommit(false);
        }
    }

    @Test
    void aTableIsCalledByAName() {
        assertThatThrownBy(() -> guard.table("x; DROP TABLE y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table is 'x; DROP TABLE y'");
        assertThatThrownBy(() -> new ColumnGuard("stock", "item", "")).hasMessageContaining("fenceColumn is ''");
    }

    @Test
    void theDialectIsToldByTheConnection() throws SQLException {
        assertThat(SqlDialect.of(connection)).isEqualTo(dialect());
    }

    @Test
    void aColumnOfTheRowGuardsIt() throws SQLException {
        COLUMN.check(connection, "bolt", 5);
        COLUMN.check(connection, "bolt", 5);
        COLUMN.check(connection, "bolt", 6);

        assertThatThrownBy(() -> COLUMN.check(connection, "bolt", 5))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("token 5 for 'stock bolt' is stale: 6 came before");
        assertThatThrownBy(() -> COLUMN.check(connection, "nut", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table 'stock' has no row with item = 'nut'");
    }

    @Test
    void aStatementWithTheConditionIsExplained() throws SQLException {
        COLUMN.check(connection, "bolt", 6);

        COLUMN.requireUpdated(connection, "bolt", 6, 1);
        assertThatThrownBy(() -> COLUMN.requireUpdated(connection, "bolt", 5, 0))
                .isInstanceOf(StaleTokenException.class);
    }

    /** The way in which a writer checks that its token is still the newest. */
    private interface Check {
        void pass(Connection connection, long token) throws SQLException;
    }

    @Test
    @Tag("slow")
    void noStaleWriteComesThroughInTenThousandRacesForATable() throws Exception {
        race((connection, token) -> guard.check(connection, "bolt", token));
    }

    @Test
    @Tag("slow")
    void noStaleWriteComesThroughInTenThousandRacesForAColumn() throws Exception {
        race((connection, token) -> COLUMN.check(connection, "bolt", token));
    }

    /** Without the check, the writes are out of order, so it is the check that keeps them in order. */
    @Test
    void withoutACheckStaleWritesComeThrough() throws Exception {
        List<Long> tokens = racesOf(500, (connection, token) -> {});

        assertThat(tokens.stream().sorted().toList()).isNotEqualTo(tokens);
    }

    private void race(Check check) throws Exception {
        assertThat(racesOf(10_000, check)).isSorted();
    }

    /** In each round, two old holders and a new one write at the same time. Returns the tokens in the order in which they were written. */
    private List<Long> racesOf(int rounds, Check check) throws Exception {
        int writers = 3;
        CyclicBarrier together = new CyclicBarrier(writers);
        AtomicInteger stale = new AtomicInteger();
        long seed = new Random().nextLong();
        System.out.println("races of seed " + seed);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                Random random = new Random(seed + writer);
                done.add(threads.submit((Callable<Void>) () -> {
                    try (Connection own = connect()) {
                        for (int round = 1; round <= rounds; round++) {
                            together.await(60, TimeUnit.SECONDS);
                            write(own, check, 3L * round - random.nextInt(6), stale);
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> writer : done) {
                writer.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(stale + " of " + rounds * writers + " writes were stale");
        return written();
    }

    private static void write(Connection own, Check check, long token, AtomicInteger stale) throws SQLException {
        try (Statement statement = own.createStatement()) {
            check.pass(own, Math.max(token, 1));
            statement.execute("INSERT INTO written (token) VALUES (" + Math.max(token, 1) + ")");
            own.commit();
        } catch (StaleTokenException e) {
            stale.incrementAndGet();
            own.rollback();
        }
    }

    private List<Long> written() throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Connection own = connect();
                Statement statement = own.createStatement();
                ResultSet rows = statement.executeQuery("SELECT token FROM written ORDER BY place")) {
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
        }
        return tokens;
    }
}
