package dev.holdfast.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Keeps the newest fencing token of each resource in a table of the database that the guarded writes go to, and checks it within the
 * caller's transaction: whatever that transaction writes is committed only if no larger token was here before, and a larger one waits until
 * the transaction has ended. An immutable value, thread-safe.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.check(connection, "orders:42", lease.fencingToken());
 * … // read, change, write
 * connection.commit();
 * }</pre>
 *
 * <p>Check before the first read of what is about to be changed, not only before the write: then nobody with a smaller token writes in
 * between. Right at isolation READ COMMITTED and above. At REPEATABLE READ and above PostgreSQL ends one of two transactions that race with
 * a serialization failure (40001), which is passed on. Transactions that check several resources should do so in the same order, or the
 * database ends one of those that wait for each other.
 */
public final class JdbcGuard {

    /** What the table is called unless said otherwise. */
    public static final String TABLE = "holdfast_fence";

    private final SqlDialect dialect;
    private final String table;

    private JdbcGuard(SqlDialect dialect, String table) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
        this.table = Checks.sqlName("table", table);
    }

    /** A guard whose table is called {@value #TABLE}. */
    public static JdbcGuard of(SqlDialect dialect) {
        return new JdbcGuard(dialect, TABLE);
    }

    /**
     * The same with another table.
     *
     * @param other letters, digits and underscores, with a schema before a dot if need be
     */
    public JdbcGuard table(String other) {
        return new JdbcGuard(dialect, other);
    }

    /** The statement that makes the table. */
    public String ddl() {
        return dialect.ddl(table);
    }

    /**
     * Lets the token pass if no larger one has, and remembers it with the caller's transaction. Waits, as the database does for a row
     * lock, for other transactions that have checked the same resource.
     *
     * @param connection with a transaction: {@code autoCommit} off
     * @param resource 1 to 1,024 bytes of UTF-8, such as the name of the lock
     * @param token 1 to 2^53 - 1; the one that was here last passes again
     * @throws StaleTokenException if a larger token was here before; the transaction is to be rolled back
     * @throws IllegalStateException if the connection commits by itself, or there is no such table (the message has the statement that
     *     makes it)
     * @throws SQLException what the database says else
     */
    public void check(Connection connection, String resource, long token) throws SQLException {
        byte[] key = Checks.resource(resource);
        Checks.token(token);
        ColumnGuard.requireTransaction(connection);
        try {
            raise(connection, key, token);
            long newest = newest(connection, key);
            if (newest > token) {
                throw new StaleTokenException(resource, token, newest);
            }
        } catch (SQLException e) {
            if (dialect.isMissingTable(e)) {
                throw new IllegalStateException(
                        "the guard's table '" + table + "' does not exist in this database; make it with: " + ddl(), e);
            }
            throw e;
        }
    }

    private void raise(Connection connection, byte[] key, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.raise(table))) {
            statement.setBytes(1, key);
            statement.setLong(2, token);
            statement.executeUpdate();
        }
    }

    private long newest(Connection connection, byte[] key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.look(table))) {
            statement.setBytes(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }
    }

    @Override
    public String toString() {
        return "JdbcGuard[" + dialect + ", " + table + "]";
    }
}
