package dev.holdfast.fence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The SQL dialects that a {@link JdbcGuard} knows. */
public enum SqlDialect {
    /** PostgreSQL 9.5 and later, and databases with its dialect. */
    POSTGRESQL(
            "CREATE TABLE %s (resource bytea PRIMARY KEY, token bigint NOT NULL)",
            "INSERT INTO %1$s AS seen (resource, token) VALUES (?, ?) ON CONFLICT (resource)"
                    + " DO UPDATE SET token = EXCLUDED.token WHERE seen.token <= EXCLUDED.token",
            "SELECT token FROM %s WHERE resource = ?",
            "42P01"),
    /** MySQL 5.7 and later, MariaDB 10.2 and later. */
    MYSQL(
            "CREATE TABLE %s (resource VARBINARY(1024) PRIMARY KEY, token BIGINT NOT NULL) ENGINE = InnoDB",
            "INSERT INTO %s (resource, token) VALUES (?, ?) ON DUPLICATE KEY UPDATE token = GREATEST(token, VALUES(token))",
            "SELECT token FROM %s WHERE resource = ? FOR UPDATE",
            "42S02");

    private final String ddl;
    private final String raise;
    private final String look;
    private final String missingTable;

    SqlDialect(String ddl, String raise, String look, String missingTable) {
        this.ddl = ddl;
        this.raise = raise;
        this.look = look;
        this.missingTable = missingTable;
    }

    /**
     * Returns the dialect of the database of this connection, by its product name.
     *
     * @throws IllegalArgumentException if the database has none of these dialects
     */
    public static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String name = product.toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRESQL;
        } else if (name.contains("mysql") || name.contains("mariadb")) {
            return MYSQL;
        }
        throw new IllegalArgumentException("the database is " + product
                + ", but a guard's table is known for PostgreSQL, MySQL and MariaDB; a ColumnGuard works everywhere");
    }

    String ddl(String table) {
        return ddl.formatted(table);
    }

    /**
     * Returns the statement that inserts the row or raises its token, and locks the row until the transaction ends. The statement never replaces a
     * larger token.
     */
    String raise(String table) {
        return raise.formatted(table);
    }

    /** Returns the statement that reads the row in its present state, not in the snapshot of the transaction. */
    String look(String table) {
        return look.formatted(table);
    }

    boolean isMissingTable(SQLException e) {
        return missingTable.equals(e.getSQLState());
    }
}
