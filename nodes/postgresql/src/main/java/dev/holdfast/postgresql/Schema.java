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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables and functions of a node, in a schema of the database. */
final class Schema {

    /** The version that this class creates. It also works with a later version that declares itself compatible. */
    static final int VERSION = 8;

    static final String DEFAULT_NAME = "holdfast";

    private static final Pattern NAME = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,49}");
    private static final Pattern IN_FILE =
            Pattern.compile("\\bholdfast(?=\\.)|(?<=SCHEMA IF NOT EXISTS )holdfast|(?<=IN SCHEMA )holdfast");

    /** The server's codes for a table, a function and another object that exist. */
    private static final Set<String> EXISTS_ALREADY = Set.of("42P07", "42723", "42710");

    /** The statement that needs a right on the database even if the schema exists. */
    private static final Pattern CREATION = Pattern.compile("CREATE SCHEMA IF NOT EXISTS [\\w\"]+;");

    private final String name;

    /**
     * Creates the description of a schema.
     *
     * @throws IllegalArgumentException if the name is not 1 to 50 lowercase letters, digits and underscores, or begins as those of the server
     */
    Schema(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "schema is '" + name
                            + "', but must have 1 to 50 lowercase letters, digits and underscores, and must not begin with a digit or with pg_");
        }
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns SQL for this schema, from a text that has the default name. The name is quoted, since it may be a word of SQL. */
    String sql(String text) {
        return name.equals(DEFAULT_NAME) ? text : IN_FILE.matcher(text).replaceAll('"' + name + '"');
    }

    /** Returns the SQL that creates the schema. */
    String creation() {
        return steps(0);
    }

    /** Returns the SQL that brings the schema from this version to {@link #VERSION}; version 0 means that there is no schema. */
    String steps(int from) {
        return IntStream.rangeClosed(from + 1, VERSION).mapToObj(this::step).collect(Collectors.joining("\n"));
    }

    /** Returns the SQL of the step to this version. */
    String step(int version) {
        try (InputStream file =
                Objects.requireNonNull(Schema.class.getResourceAsStream("schema-" + version + ".sql"))) {
            return sql(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the schema if there is none, brings an older one to {@link #VERSION}, and checks a later one. Clients that connect at the same time do each
     * step once.
     *
     * @throws SetupException if the role must not create or change the schema, or the schema does not serve this version
     */
    void ensure(Connection connection) throws SQLException, SetupException {
        int version = version(connection);
        if (version < VERSION) {
            update(connection, version);
        } else if (version > VERSION) {
            int oldest = number(connection, sql("SELECT holdfast.serves_from()"));
            if (oldest > VERSION) {
                throw new SetupException(
                        "schema '" + name + "' has version " + version + " and serves clients from version " + oldest
                                + " on, but this Holdfast has version " + VERSION + ": update Holdfast");
            }
        }
    }

    /** Returns the version of the schema; 0 if there is none. */
    private int version(Connection connection) throws SQLException, SetupException {
        return exists(connection) ? number(connection, sql("SELECT holdfast.schema_version()")) : 0;
    }

    private int number(Connection connection, String sql) throws SQLException, SetupException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            int number = row.getInt(1);
            if (row.wasNull()) {
                throw new SetupException("schema '" + name
                        + "' was changed by hand: its table 'node' has no row. Restore the row. Or stop all clients for the longest ttl, since a new"
                        + " schema has no leases, and drop the schema so that it is created again");
            }
            return number;
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        return holds(
                connection,
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
                        + " WHERE n.nspname = ? AND p.proname = 'schema_version')");
    }

    private boolean hasNamespace(Connection connection) throws SQLException {
        return holds(connection, "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = ?)");
    }

    /**
     * Fails if the schema has objects of another program, since the steps also change the rights and the owner of functions that are not Holdfast's. A
     * right that an operator has granted in advance is no such object.
     */
    private void requireEmpty(Connection connection) throws SQLException, SetupException {
        String sql =
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_namespace n ON n.oid = d.refobjid"
                        + " WHERE d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.deptype = 'n' AND n.nspname = ?)";
        if (holds(connection, sql)) {
            throw new SetupException("schema '" + name
                    + "' belongs to another program, or was changed by hand: it has tables or functions, but not"
                    + " those of Holdfast. Name an empty schema, or one that does not exist");
        }
    }

    private boolean holds(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private void update(Connection connection, int found) throws SQLException, SetupException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_catalog.pg_advisory_xact_lock(7222072, pg_catalog.hashtext('" + name + "'))");
            int version = version(connection); // another client may have updated the schema by now
            if (version == 0) {
                requireEmpty(connection);
            }
            if (version < VERSION) {
                String steps = steps(version);
                statement.execute(
                        hasNamespace(connection) ? CREATION.matcher(steps).replaceFirst("") : steps);
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            if (SetupException.NO_RIGHT.equals(e.getSQLState())) {
                throw new SetupException(found == 0 ? missing(e) : old(found, e));
            }
            if (EXISTS_ALREADY.contains(String.valueOf(e.getSQLState()))) {
                throw new SetupException("schema '" + name + "' was changed by hand: " + SetupException.line(e)
                        + ". Restore it, or name another schema");
            }
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private String missing(SQLException e) {
        return "there is no schema '" + name + "' with the functions of Holdfast, and the role must not create them: "
                + SetupException.line(e) + ". Run " + files(0)
                + " as another role, or grant CREATE on the database, or on the schema if it exists";
    }

    private String old(int found, SQLException e) {
        return "schema '" + name + "' has version " + found + ", but this Holdfast needs version " + VERSION
                + ", and the role must not change it: " + SetupException.line(e) + ". Run " + files(found)
                + " as the owner of the schema";
    }

    private static String files(int from) {
        return IntStream.rangeClosed(from + 1, VERSION)
                .mapToObj(version -> "schema-" + version + ".sql")
                .collect(Collectors.joining(", then "));
    }
}
