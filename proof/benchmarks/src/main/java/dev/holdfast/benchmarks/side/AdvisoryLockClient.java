package dev.holdfast.benchmarks.side;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Locks of a session of PostgreSQL. Each holder and each waiter keeps a connection. */
final class AdvisoryLockClient implements LockClient {

    private final HikariDataSource pool;

    AdvisoryLockClient(String node) {
        pool = PostgresPool.open(node, PostgresPool.CONNECTIONS);
    }

    @Override
    public NamedLock lock(String name) {
        return () -> {
            try {
                Connection connection = pool.getConnection();
                execute(connection, "SELECT pg_advisory_lock(hashtextextended(?, 0))", name);
                return () -> {
                    try (connection) {
                        execute(connection, "SELECT pg_advisory_unlock(hashtextextended(?, 0))", name);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                };
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static void execute(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.execute();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
