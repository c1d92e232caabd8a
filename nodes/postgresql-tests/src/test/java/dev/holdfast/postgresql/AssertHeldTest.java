package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.testkit.Effort;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;

/** The assertion of a lease in a user's transaction, with times that the test sets: no clock decides anything here. */
@Tag("slow")
class AssertHeldTest {

    private static final String NOT_HELD = "HF002";
    private static final long TTL_MILLIS = 30_000;

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    private String name = "";
    private int attempt;

    @BeforeAll
    static void prepareServer() throws SQLException {
        try (Connection connection = DATABASE.connect()) {
            new Schema(Schema.DEFAULT_NAME).ensure(connection);
        } catch (SetupException e) {
            throw new IllegalStateException(e);
        }
        DATABASE.execute("CREATE TABLE account (id int PRIMARY KEY, token bigint NOT NULL)");
    }

    @BeforeEach
    void chooseALock() {
        name = "assert:" + System.identityHashCode(this);
        DATABASE.execute("TRUNCATE account; INSERT INTO account VALUES (1, 0)");
    }

    /** A client that has its own connection, with its own idea of how much time has passed at the node. */
    private AcquireAnswer acquire(Connection connection, OwnerId owner, long aheadMillis, boolean queue, long floor)
            throws SQLException {
        AcquireRequest request = new AcquireRequest(
                "lock:" + name,
                owner,
                LockMode.EX,
                new AcquireRequest.Terms(TTL_MILLIS, TTL_MILLIS, 4),
                queue,
                new AcquireRequest.Update(floor, false, null));
        String sql =
                "SELECT answer FROM holdfast.acquire(holdfast.clock_millis() + ?, 0, 86400000, ?, ?, 5, ?, ?, ?, 4, ?, false,"
                        + " NULL, NULL, NULL)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, aheadMillis);
            statement.setString(2, request.resource());
            statement.setString(3, owner.toString());
            statement.setLong(4, request.ttlMillis());
            statement.setBoolean(5, queue);
            statement.setLong(6, request.waiterTtlMillis());
            statement.setLong(7, floor);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return LockCall.acquireAnswer((String[]) row.getArray(1).getArray());
            }
        }
    }

    private long granted(Connection connection, OwnerId owner, long aheadMillis) throws SQLException {
        AcquireAnswer answer = acquire(connection, owner, aheadMillis, false, 0);
        assertThat(answer).isInstanceOf(AcquireAnswer.Granted.class);
        return ((AcquireAnswer.Granted) answer).fence();
    }

    private void release(Connection connection, OwnerId owner) throws SQLException {
        Schema schema = new Schema(Schema.DEFAULT_NAME);
        Link link = new Link(connection, schema, 86_400_000);
        link.connect();
        link.carryOut(List.of(LockCall.of(new ReleaseRequest("lock:" + name, owner, 0), 0)));
    }

    private OwnerId owner(String client) {
        return new OwnerId(client + "~00000000", ++attempt, 0);
    }

    private void assertHeld(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT holdfast.assert_held(?, ?)")) {
            statement.setString(1, name);
            statement.setLong(2, token);
            statement.execute();
        }
    }

    private static void write(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE account SET token = ? WHERE id = 1")) {
            statement.setLong(1, token);
            statement.executeUpdate();
        }
    }

    private static long written(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT token FROM account WHERE id = 1")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection transaction() throws SQLException {
        return transaction(Connection.TRANSACTION_READ_COMMITTED);
    }

    private static Connection transaction(int isolation) throws SQLException {
        Connection connection = DATABASE.connect();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void eachTokenOfTheVoteIsHeldAndNoOther() throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = DATABASE.connect()) {
            long last = granted(locks, owner("a"), 0);
            for (long token = last - 3; token <= last; token++) {
                assertHeld(user, token);
            }
            for (long token : new long[] {0, last - 4, last + 1}) {
                assertThatThrownBy(() -> assertHeld(user, token))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo(NOT_HELD))
                        .hasMessageContaining(name)
                        .hasMessageContaining("fencing token " + token);
            }
        }
    }

    @Test
    void anAssertionHoldsOffTheNextHolderUntilItsTransactionEnds() throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction()) {
            OwnerId a = owner("a");
            assertHeld(user, granted(locks, a, 0));

            AcquireAnswer other = acquire(locks, owner("b"), 2 * TTL_MILLIS, true, 0);
            assertThat(other).isInstanceOf(AcquireAnswer.Queued.class);
            assertThat(((AcquireAnswer.Queued) other).remainingMillis()).isPositive();

            user.commit();
            granted(locks, owner("c"), 4 * TTL_MILLIS);
        }
    }

    /** The documented limit: PostgreSQL unlocks what was locked after the savepoint. */
    @Test
    void aRollbackToASavepointUndoesLaterAssertions() throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction()) {
            long token = granted(locks, owner("a"), 0);
            Savepoint before = user.setSavepoint();
            assertHeld(user, token);
            user.rollback(before);

            granted(locks, owner("b"), 2 * TTL_MILLIS);
            assertThatThrownBy(() -> assertHeld(user, token)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void anAssertedVoteCanBeExtended() throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction()) {
            OwnerId a = owner("a");
            long token = granted(locks, a, 0);
            assertHeld(user, token);

            assertThat(acquire(locks, a, 1_000, false, token)).isInstanceOf(AcquireAnswer.Granted.class);
            assertHeld(user, token);
            assertThat(acquire(locks, owner("b"), 10 * TTL_MILLIS, false, 0)).isInstanceOf(AcquireAnswer.Denied.class);
            assertThat(acquire(locks, a, 10 * TTL_MILLIS, false, token))
                    .as("its time has passed, but no other client has been granted the lock")
                    .isInstanceOf(AcquireAnswer.Granted.class);
        }
    }

    @Test
    void aReleaseDoesNotWaitForTheTransactionButTheNextHolderDoes() throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction()) {
            OwnerId a = owner("a");
            long token = granted(locks, a, 0);
            assertHeld(user, token);

            release(locks, a);
            assertThat(acquire(locks, owner("b"), 0, false, 0)).isInstanceOf(AcquireAnswer.Denied.class);
            assertThat(acquire(locks, a, 0, false, token)).as("released").isInstanceOf(AcquireAnswer.Denied.class);
            try (Connection late = DATABASE.connect()) {
                assertThatThrownBy(() -> assertHeld(late, token)).isInstanceOf(SQLException.class);
            }

            user.rollback();
            granted(locks, owner("c"), 0);
        }
    }

    /** Each statement of such a transaction sees the latest extension, also in READ UNCOMMITTED, which is the same in PostgreSQL. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_READ_UNCOMMITTED})
    void aVoteWhoseTimeHasPassedIsNotHeld(int isolation) throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction(isolation)) {
            long token = granted(locks, owner("a"), -4 * TTL_MILLIS / 3); // by the server's clock, the vote has expired

            assertThatThrownBy(() -> assertHeld(user, token)).hasMessageContaining("is not held");
        }
    }

    /** The snapshot of such a transaction may be older than the extensions of its lease. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void anExtensionCountsAlsoForATransactionWithAnOlderSnapshot(int isolation) throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction(isolation)) {
            OwnerId a = owner("a");
            long token = granted(locks, a, -4 * TTL_MILLIS / 3); // by the server's clock, the vote has expired
            written(user); // the snapshot
            assertThat(acquire(locks, a, -2 * TTL_MILLIS / 3, false, token)).isInstanceOf(AcquireAnswer.Granted.class);

            assertHeld(user, token);
            assertThat(acquire(locks, owner("b"), 10 * TTL_MILLIS, false, 0)).isInstanceOf(AcquireAnswer.Denied.class);
            user.commit();
            granted(locks, owner("c"), 10 * TTL_MILLIS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void aLeaseThatEndedIsNotHeldWhateverASnapshotShows(int isolation) throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection user = transaction(isolation)) {
            long token = granted(locks, owner("a"), 0);
            written(user); // the snapshot
            granted(locks, owner("b"), 2 * TTL_MILLIS);

            assertThatThrownBy(() -> assertHeld(user, token)).isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jdbc:"})
    void theDatabaseOfANodeMayHaveANameThatNeedsEncoding(String start) throws Exception {
        DATABASE.execute("CREATE DATABASE \"a b+c%" + start + "\"");
        String address = "postgresql://localhost:" + DATABASE.port() + "/a%20b%2Bc%25" + start;
        Properties login = new Properties();
        login.setProperty("user", "postgres");
        HoldfastBuilder settings = start.isEmpty()
                ? Holdfast.builder().nodes(address.replace("//", "//postgres@"))
                : Holdfast.builder().node(PostgresNode.of("jdbc:" + address, () -> login));
        try (Holdfast holdfast = settings.connect();
                Connection same = new Driver().connect("jdbc:" + address, login);
                Connection other = DATABASE.connect()) {
            holdfast.lock("a").acquire().close();
            NodeStatus status = holdfast.admin().nodes().get(0);

            assertThat(LeaseAssertion.of(status, same, "lock:")).isPresent();
            assertThat(LeaseAssertion.of(status, other, "lock:")).isEmpty();
        }
    }

    /**
     * A holder checks, stops, and writes after its lease has expired and another client has written. The pauses are where Kleppmann puts them, and
     * where the holder asserts: between the assertion and the write, and between the write and the commit.
     */
    @Test
    @Timeout(1_800)
    void aPausedHolderNeverWritesLate(TestReporter reporter) throws SQLException {
        Tally tally = playAll(true);
        reporter.publishEntry("with the assertion: " + tally);
        assertThat(tally.stale).as("stale writes of %s", tally).isZero();
        assertThat(tally.overtaken)
                .as("schedules in which another client was granted the lock")
                .isPositive();
        assertThat(tally.schedules - tally.overtaken)
                .as("schedules in which the assertion held another client off")
                .isPositive();
    }

    @Test
    @Timeout(1_800)
    void withoutTheAssertionAPausedHolderWritesLate(TestReporter reporter) throws SQLException {
        Tally tally = playAll(false);
        reporter.publishEntry("without the assertion: " + tally);
        assertThat(tally.stale).as("stale writes of %s", tally).isPositive();
    }

    /** The schedules played, those in which another client was granted the lock, and those with a stale write. */
    private record Tally(long seed, int schedules, int overtaken, int stale) {}

    private Tally playAll(boolean asserts) throws SQLException {
        int schedules = Effort.of(20, 1_000);
        long seed = Effort.seed(26);
        Random random = new Random(seed);
        int overtaken = 0;
        int stale = 0;
        for (int i = 0; i < schedules; i++) {
            boolean pausedBefore = random.nextBoolean();
            // without the assertion, a pause after the write proves nothing: the row lock of that write holds the other
            // client's write off
            boolean pausedAfterWrite = random.nextBoolean() && asserts;
            Outcome outcome = play(asserts, pausedBefore, pausedAfterWrite);
            overtaken += outcome.overtaken ? 1 : 0;
            stale += outcome.stale ? 1 : 0;
            chooseALock();
            name += ":" + i;
        }
        return new Tally(seed, schedules, overtaken, stale);
    }

    private record Outcome(boolean overtaken, boolean stale) {}

    private Outcome play(boolean asserts, boolean pausedBefore, boolean pausedAfterWrite) throws SQLException {
        try (Connection locks = DATABASE.connect();
                Connection first = transaction();
                Connection second = transaction()) {
            long token = granted(locks, owner("a"), -2 * TTL_MILLIS + (pausedBefore ? 0 : 2 * TTL_MILLIS));
            boolean overtaken = false;
            if (pausedBefore) { // the vote expired meanwhile
                overtaken = overtakes(locks, second, 0, asserts);
            }
            boolean wrote = false;
            try {
                if (asserts) {
                    assertHeld(first, token);
                }
                if (!pausedAfterWrite) {
                    overtaken |= overtakes(locks, second, 2 * TTL_MILLIS, asserts);
                }
                write(first, token);
                if (pausedAfterWrite) {
                    overtaken |= overtakes(locks, second, 2 * TTL_MILLIS, asserts);
                }
                first.commit();
                wrote = true;
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo(NOT_HELD);
                first.rollback();
            }
            long last = written(first);
            first.commit();
            return new Outcome(overtaken, overtaken && wrote && last == token);
        }
    }

    /** Another client tries to acquire the lock at that time, and writes if it is granted. */
    private boolean overtakes(Connection locks, Connection user, long aheadMillis, boolean asserts)
            throws SQLException {
        AcquireAnswer answer = acquire(locks, owner("b"), aheadMillis, false, 0);
        if (!(answer instanceof AcquireAnswer.Granted granted)) {
            return false;
        }
        if (asserts) {
            assertHeld(user, granted.fence());
        }
        write(user, granted.fence());
        user.commit();
        return true;
    }
}
