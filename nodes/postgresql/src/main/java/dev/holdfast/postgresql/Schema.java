package dev.holdfast.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Pattern;

/** The tables and functions of a node, in a schema of the database. */
final class Schema {

    /** The version that this class creates, and the only one that it works with. */
    static final int VERSION = 1;

    static final String DEFAULT_NAME = "holdfast";

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,49}");
    private static final Pattern IN_FILE =
            Pattern.compile("\\bholdfast(?=\\.)|(?<=SCHEMA IF NOT EXISTS )holdfast|(?<=IN SCHEMA )holdfast");

    private final String name;

    /**
     * Creates the description of a schema.
     *
     * @throws IllegalArgumentException if the name is not 1 to 50 small letters, digits and underscores
     */
    Schema(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "schema is '" + name
                            + "', but must have 1 to 50 small letters, digits and underscores, and must not begin with a digit");
        }
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns a text of SQL that is written for the default name, for this schema. */
    String sql(String text) {
        return name.equals(DEFAULT_NAME) ? text : IN_FILE.matcher(text).replaceAll(name);
    }

    /** Returns the SQL that creates the schema. */
    String creation() {
        try (InputStream file =
                Objects.requireNonNull(Schema.class.getResourceAsStream("schema-" + VERSION + ".sql"))) {
            return sql(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the schema if there is none, and checks its version. Clients that connect at the same time create it once.
     *
     * @throws SetupException if the role must not create the schema, or the schema has another version
     */
    void ensure(Connection connection) throws SQLException, SetupException {
        if (!exists(connection)) {
            create(connection);
        }
        int version;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql("SELECT holdfast.schema_version()"))) {
            row.next();
            version = row.getInt(1);
        }
        if (version != VERSION) {
            throw new SetupException("schema '" + name + "' has version " + version
                    + ", but this Holdfast needs version " + VERSION + ": "
                    + (version > VERSION ? "update Holdfast" : "run the migrations up to schema-" + VERSION + ".sql"));
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        String sql =
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
                        + " WHERE n.nspname = ? AND p.proname = 'schema_version')";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private void create(Connection connection) throws SQLException, SetupException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_catalog.pg_advisory_xact_lock(7222072, pg_catalog.hashtext('" + name + "'))");
            if (!exists(connection)) { // another client may have created it meanwhile
                statement.execute(creation());
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            if (SetupException.NO_RIGHT.equals(e.getSQLState())) {
                throw new SetupException(
                        "there is no schema '" + name + "', and the role must not create it: " + SetupException.line(e)
                                + ". Run schema-" + VERSION + ".sql as another role, or grant CREATE on the database");
            }
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
