package dev.holdfast.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * A guard that keeps the newest fencing token in a column of the guarded row. The guard suits rows that only holders of a lock write, in any database
 * with row locks. It is an immutable, thread-safe value.
 *
 * <p>Either call {@link #check} before reading and writing the row in one transaction, or make the whole change in one statement:
 *
 * <pre>{@code
 * int updated = … "UPDATE stock SET pieces = pieces - ?, fence = ? WHERE item = ? AND fence <= ?" …
 * guard.requireUpdated(connection, item, token, updated);
 * }</pre>
 *
 * <p>The column has the type {@code bigint NOT NULL DEFAULT 0}.
 */
public final class ColumnGuard {

    private final String table;
    private final String keyColumn;
    private final String fenceColumn;

    /**
     * Creates a guard for the rows of a table.
     *
     * @param table a name of letters, digits and underscores, after a schema and a dot if necessary
     * @param keyColumn the column with the key of a row
     * @param fenceColumn the column with the token
     * @throws IllegalArgumentException if a name has other characters
     */
    public ColumnGuard(String table, String keyColumn, String fenceColumn) {
        this.table = Checks.sqlName("table", table);
        this.keyColumn = Checks.sqlName("keyColumn", keyColumn);
        this.fenceColumn = Checks.sqlName("fenceColumn", fenceColumn);
    }

    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in auto-commit mode, so the check would protect nothing:"
                    + " call setAutoCommit(false) first");
        }
    }

    /**
     * Accepts the token unless the row has a larger one, and stores it in the caller's transaction. The transaction keeps the row locked until it
     * ends.
     *
     * @param connection a connection in a transaction: {@code autoCommit} is off
     * @param key the key of the row
     * @param token the fencing token, 1 to 2<sup>53</sup> - 1; the guard accepts the latest token again
     * @throws StaleTokenException if the row has a larger token; roll the transaction back
     * @throws IllegalArgumentException if there is no such row, or the token is outside its range
     * @throws IllegalStateException if the connection commits automatically
     * @throws SQLException if the database reports an error
     */
    public void check(Connection connection, Object key, long token) throws SQLException {
        Checks.token(token);
        requireTransaction(connection);
        String sql = "UPDATE " + table + " SET " + fenceColumn + " = ? WHERE " + keyColumn + " = ? AND " + fenceColumn
                + " <= ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, token);
            statement.setObject(2, Objects.requireNonNull(key, "key"));
            statement.setLong(3, token);
            requireUpdated(connection, key, token, statement.executeUpdate());
        }
    }

    /**
     * Checks that a statement with {@code WHERE … AND fence <= ?} changed a row, and otherwise throws an exception with the reason.
     *
     * @param updated the number of rows that the statement changed
     * @throws StaleTokenException if the row has a larger token, or another transaction is changing it
     * @throws IllegalArgumentException if there is no such row
     * @throws SQLException if the database reports an error
     */
    public void requireUpdated(Connection connection, Object key, long token, int updated) throws SQLException {
        if (updated > 0) {
            return;
        }
        String sql = "SELECT " + fenceColumn + " FROM " + table + " WHERE " + keyColumn + " = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalArgumentException(
                            "table '" + table + "' has no row with " + keyColumn + " = '" + key + "'");
                }
                throw new StaleTokenException(table + " " + key, token, rows.getLong(1));
            }
        }
    }

    @Override
    public String toString() {
        return "ColumnGuard[" + table + "." + fenceColumn + " by " + keyColumn + "]";
    }
}
