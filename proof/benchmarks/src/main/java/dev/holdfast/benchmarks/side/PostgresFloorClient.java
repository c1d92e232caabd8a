package dev.holdfast.benchmarks.side;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The lower bound for locks in a table: a row is inserted and deleted, with autocommit. It can't wait, so it is only for free locks; a lock that is
 * not free is an error.
 */
final class PostgresFloorClient implements LockClient {

    private final HikariDataSource pool;

    PostgresFloorClient(String node, int connections) {
        pool = PostgresPool.open(
                node,
                connections,
                "CREATE TABLE IF NOT EXISTS floor_lock (name text PRIMARY KEY, owner text NOT NULL)");
    }

    @Override
    public NamedLock lock(String name) {
        String owner = "owner-of-" + name;
        return () -> {
            if (execute("INSERT INTO floor_lock (name, owner) VALUES (?, ?) ON CONFLICT DO NOTHING", name, owner)
                    == 0) {
                throw new IllegalStateException(name + " is not free");
            }
            return () -> execute("DELETE FROM floor_lock WHERE name = ? AND owner = ?", name, owner);
        };
    }

    private int execute(String sql, String name, String owner) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setString(2, owner);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
