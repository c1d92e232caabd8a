package dev.holdfast.postgresql;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The assertion of leases in a transaction of the database in which their locks live: {@code holdfast.assert_held} of the schema. From an assertion until
 * its transaction ends, no other client is granted a conflicting lease, however long this process pauses. This depends on no clock. Thread-safe.
 *
 * <p>This holds only if that database is the client's only node.
 */
public final class LeaseAssertion {

    private static final String LOST = "HF002";
    private static final String NODE = "postgresql:";
    private static final String SCHEMA = "?schema=";

    private final String schema;
    private final String sql;
    private final String keyPrefix;

    /**
     * Creates an assertion.
     *
     * @param schema the schema of the node; {@code holdfast} by default
     * @param keyPrefix the key prefix of the client; {@code lock:} by default
     * @throws IllegalArgumentException if the name of the schema is wrong
     */
    public LeaseAssertion(String schema, String keyPrefix) {
        this.schema = schema;
        this.sql = new Schema(schema).sql("SELECT holdfast.assert_held(?, ?, ?)");
        this.keyPrefix = keyPrefix;
    }

    /**
     * Returns an assertion for the transactions of a connection if the node is in the connection's database. It asks the connection for its database, and
     * needs no right for that.
     *
     * @param node the status of the client's only node
     * @return empty if the connection leads to another database or another product
     * @throws IllegalStateException if the status does not name the server, because the node does not answer
     */
    public static Optional<LeaseAssertion> of(NodeStatus node, Connection connection, String keyPrefix)
            throws SQLException {
        if (!node.name().startsWith(NODE)
                || !connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            return Optional.empty();
        }
        String id = node.server().id();
        if (id == null) {
            throw new IllegalStateException("node " + node.name() + " does not answer: " + node.detail());
        }
        String database = id.substring(0, id.indexOf('/')) + '/' + id.substring(id.indexOf(' ') + 1);
        return database.equals(databaseOf(connection))
                ? Optional.of(new LeaseAssertion(schemaOf(node.name()), keyPrefix))
                : Optional.empty();
    }

    /** Returns the schema of the node of this name. The name of a node from a data source has the schema in place of the address. */
    private static String schemaOf(String node) {
        String rest = node.substring(NODE.length());
        int schema = rest.indexOf(SCHEMA);
        return !rest.startsWith("//")
                ? rest
                : schema < 0 ? Schema.DEFAULT_NAME : rest.substring(schema + SCHEMA.length());
    }

    private static String databaseOf(Connection connection) throws SQLException {
        String sql =
                "SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system()) || '/' || pg_catalog.current_database()";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /**
     * Asserts a lease in the connection's transaction, until that ends or is rolled back to an earlier savepoint. Leases of the mode NL conflict with no other lease, so they need no assertion.
     *
     * @throws LeaseLostException if the lease has ended; the transaction must be rolled back
     */
    public void assertHeld(Connection connection, Lease lease) throws SQLException {
        if (lease.mode() == LockMode.NL) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, lease.name());
            statement.setLong(2, lease.fencingToken());
            statement.setString(3, keyPrefix);
            statement.execute();
        } catch (SQLException e) {
            if (LOST.equals(e.getSQLState())) {
                throw new LeaseLostException("lease of '" + lease.name() + "' with token " + lease.fencingToken()
                        + " ended before its transaction did");
            }
            throw e;
        }
    }

    @Override
    public String toString() {
        return schema + ".assert_held";
    }
}
