package dev.holdfast.torture.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The resource that a lock protects: a counter in a row of PostgreSQL. One row is guarded by the fencing token, the
 * other is not. Each statement is a transaction of its own. For one thread.
 *
 * <p>A program that checks tokens must also check when it <em>reads</em> the value that it is about to change.
 * Otherwise, a former holder's write that comes after the successor's read, but before its first write, would be
 * overwritten. The guarded read therefore stores its token in the row.
 */
final class ResourceRow implements AutoCloseable {

    private static final String READ = "SELECT value FROM resource WHERE name = ?";
    private static final String WRITE =
            "UPDATE resource SET value = ?, lease = ?, version = version + 1 WHERE name = ? RETURNING version";
    private static final String GUARDED_READ =
            "UPDATE resource SET fence = ? WHERE name = ? AND fence <= ? RETURNING value";
    private static final String GUARDED_WRITE =
            "UPDATE resource SET value = ?, lease = ?, fence = ?, version = version + 1"
                    + " WHERE name = ? AND fence <= ? RETURNING version";

    private final Connection connection;

    ResourceRow(String database) throws SQLException {
        connection = DriverManager.getConnection(database);
    }

    /** The result of a write: it is number {@code version} of its row, with this value. */
    record Written(long version, long value) {}

    /** Returns the counter without checking a token. */
    long read(String lock) throws SQLException {
        return one(READ, unguarded(lock)).orElseThrow();
    }

    /** Sets the counter without checking a token. */
    Written write(String lock, long value, String lease) throws SQLException {
        return new Written(one(WRITE, value, lease, unguarded(lock)).orElseThrow(), value);
    }

    /** Returns the counter; empty if the row has seen a larger token. */
    OptionalLong guardedRead(String lock, long token) throws SQLException {
        return one(GUARDED_READ, token, guarded(lock), token);
    }

    /** Sets the counter; {@code null} if the row has seen a larger token. */
    @Nullable
    Written guardedWrite(String lock, long value, String lease, long token) throws SQLException {
        OptionalLong version = one(GUARDED_WRITE, value, lease, token, guarded(lock), token);
        return version.isPresent() ? new Written(version.getAsLong(), value) : null;
    }

    private static String guarded(String lock) {
        return lock + " guarded";
    }

    private static String unguarded(String lock) {
        return lock + " unguarded";
    }

    private OptionalLong one(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
