package dev.holdfast.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * A guard that keeps the newest fencing token of each resource in a table of the database that it protects. The guard checks the token in the
 * caller's transaction. The database commits the writes of that transaction only if the table has no larger token, and a check of a larger token
 * waits until the transaction has ended. A guard is an immutable, thread-safe value.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.check(connection, "orders:42", lease.fencingToken());
 * … // read, change, write
 * connection.commit();
 * }</pre>
 *
 * <p>Check the token before the first read of the data to change, not only before the write. That way, no holder with a smaller token can write in
 * between. The guard is correct at isolation level READ COMMITTED and above. At REPEATABLE READ and above, PostgreSQL ends one of two racing
 * transactions with a serialization failure (40001), which this class passes on. Transactions that check several resources should do so in the same
 * order; otherwise they may deadlock, and the database ends one of them.
 */
public final class JdbcGuard {

    /** The default name of the table. */
    public static final String TABLE = "holdfast_fence";

    private final SqlDialect dialect;
    private final String table;

    private JdbcGuard(SqlDialect dialect, String table) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
        this.table = Checks.sqlName("table", table);
    }

    /** Returns a guard with the table {@value #TABLE}. */
    public static JdbcGuard of(SqlDialect dialect) {
        return new JdbcGuard(dialect, TABLE);
    }

    /**
     * Returns the same guard with another table.
     *
     * @param other a name of letters, digits and underscores, after a schema and a dot if necessary
     * @throws IllegalArgumentException if the name has other characters
     */
    public JdbcGuard table(String other) {
        return new JdbcGuard(dialect, other);
    }

    /** Returns the statement that creates the table. */
    public String ddl() {
        return dialect.ddl(table);
    }

    /**
     * Accepts the token unless the resource has seen a larger one, and stores it in the caller's transaction. Like a row lock, this call blocks while
     * another transaction that has checked the same resource is open.
     *
     * @param connection a connection in a transaction: {@code autoCommit} is off
     * @param resource 1 to 1,024 bytes of UTF-8, such as the name of the lock
     * @param token the fencing token, 1 to 2<sup>53</sup> - 1; the guard accepts the latest token again
     * @throws StaleTokenException if the resource has seen a larger token; roll the transaction back
     * @throws IllegalStateException if the connection commits automatically, or the table does not exist; the message then has the statement that
     *     creates it
     * @throws SQLException if the database reports another error
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
