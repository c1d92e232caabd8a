package dev.holdfast.benchmarks.side;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** HikariCP's pools of connections to a PostgreSQL server, with defaults except for the size. */
final class PostgresPool {

    /** Enough for every thread of the largest setting, so that no side waits for a connection. */
    static final int CONNECTIONS = 64;

    private PostgresPool() {}

    /** Opens a pool of this size, which keeps its connections open, and executes statements that create tables. */
    static HikariDataSource open(String node, int connections, String... tables) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:" + node.replace("postgres@", ""));
        config.setUsername("postgres");
        config.setMaximumPoolSize(connections);
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT pg_advisory_lock(0)"); // CREATE TABLE IF NOT EXISTS fails if two sessions are at it
            for (String table : tables) {
                statement.execute(table);
            }
            statement.execute("SELECT pg_advisory_unlock(0)");
        } catch (SQLException e) {
            pool.close();
            throw new IllegalStateException(e);
        }
        return pool;
    }
}
