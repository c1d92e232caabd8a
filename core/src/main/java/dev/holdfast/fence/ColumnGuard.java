package dev.holdfast.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Keeps the newest fencing token in a column of the guarded row itself; for rows that are written by the holders of a lock only, in any
 * database with row locks. An immutable value, thread-safe.
 *
 * <p>Either {@link #check} before reading and writing the row, in one transaction, or the whole change in one statement:
 *
 * <pre>{@code
 * int updated = … "UPDATE stock SET pieces = pieces - ?, fence = ? WHERE item = ? AND fence <= ?" …
 * guard.requireUpdated(connection, item, token, updated);
 * }</pre>
 *
 * <p>The column is a {@code bigint NOT NULL DEFAULT 0}.
 */
public final class ColumnGuard {

    private final String table;
    private final String keyColumn;
    private final String fenceColumn;

    /**
     * A guard of the rows of a table.
     *
     * @param table letters, digits and underscores, with a schema before a dot if need be
     * @param keyColumn what tells its rows apart
     * @param fenceColumn where the token is kept
     */
    public ColumnGuard(String table, String keyColumn, String fenceColumn) {
        this.table = Checks.sqlName("table", table);
        this.keyColumn = Checks.sqlName("keyColumn", keyColumn);
        this.fenceColumn = Checks.sqlName("fenceColumn", fenceColumn);
    }

    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection commits every statement by itself, so the check would protect nothing:"
                            + " call setAutoCommit(false) first");
        }
    }

    /**
     * Lets the token pass if no larger one has, and remembers it with the caller's transaction, which keeps the row locked until it ends.
     *
     * @param connection with a transaction: {@code autoCommit} off
     * @param key the row's
     * @param token 1 to 2^53 - 1; the one that was here last passes again
     * @throws StaleTokenException if a larger token was here before; the transaction is to be rolled back
     * @throws IllegalArgumentException if there is no such row
     * @throws IllegalStateException if the connection commits by itself
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
     * Says why a statement with {@code WHERE … AND fence <= ?} changed nothing; returns if it changed something.
     *
     * @param updated how many rows it changed
     * @throws StaleTokenException if a larger token was here before, or the row was being changed just now
     * @throws IllegalArgumentException if there is no such row
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
