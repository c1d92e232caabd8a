package dev.holdfast.postgresql;

import dev.holdfast.node.NodeContext;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The opener of a node's two connections, which also checks the server. Every method blocks. */
final class Connector {

    private static final System.Logger LOG = System.getLogger(Connector.class.getName());
    private static final int OLDEST_VERSION = 130_000;
    private static final int SHORTEST_TIMEOUT_MILLIS = 5_000;
    private static final String FAILOVER_LOSES =
            "a failover can lose votes, so two leases may be held at once; fencing tokens still rise";

    private final String name;
    private final ConnectionSource connections;
    private final Schema schema;
    private final NodeContext context;
    private static final String NOTHING_ARRIVES =
            "the connection leads through a pooler such as PgBouncer, where no notifications arrive; a direct address of the server makes hand-over faster";
    private static final String QUEUE_FULL =
            "the server's queue of notifications is nearly full (pg_notification_queue_usage), since a session that listens stays in a transaction";
    private List<String> logged = List.of();
    private int lastProcess; // the server's process for the last connection; 0 if a pooler chooses it

    Connector(String name, ConnectionSource connections, Schema schema, NodeContext context) {
        this.name = name;
        this.connections = connections;
        this.schema = schema;
        this.context = context;
    }

    /** The facts about a server. */
    private record Server(String version, boolean durable, List<String> warnings) {}

    Connected connect() throws SQLException, SetupException {
        int millis = (int) Math.max(context.options().connectTimeout().toMillis(), SHORTEST_TIMEOUT_MILLIS);
        Connection connection = connections.open();
        Link link = new Link(connection, schema, context.times().fenceRetentionMillis());
        Connection second = null;
        boolean done = false;
        try {
            requirePostgres(connection);
            if (!connections.isOwn()) {
                link.remember();
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            boolean pooled = isPooled(connection);
            link.remember(prepare(connection, millis, pooled));
            Server server = check(connection);
            requireNoRequestUnderWay(connection);
            lastProcess = pooled ? 0 : connection.unwrap(PGConnection.class).getBackendPID();
            schema.ensure(connection);
            Link.Facts facts = link.connect();
            List<String> warnings = new ArrayList<>(server.warnings);
            boolean full = isQueueFull(connection);
            second = pooled || full ? null : listener(connection, millis);
            if (second == null) {
                warnings.add((full ? QUEUE_FULL : NOTHING_ARRIVES) + ": waiters poll every 100 ms");
            }
            if (!warnings.equals(logged)) {
                logged = warnings;
                warnings.forEach(warning -> LOG.log(Level.WARNING, "{0}: {1}", name, warning));
            }
            done = true;
            return new Connected(
                    link,
                    second,
                    facts.run(),
                    facts.lostAtMillis(),
                    facts.nowMillis(),
                    server.durable,
                    server.version,
                    warnings);
        } finally {
            if (!done) {
                Connected.end(second);
                link.close();
            }
        }
    }

    private static void requirePostgres(Connection connection) throws SQLException, SetupException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!product.equals("PostgreSQL")) {
            throw new SetupException("the data source leads to " + product + ", not to PostgreSQL");
        }
    }

    /**
     * Returns whether a pooler is between this client and the server: the server process then has a different id from the one that was announced.
     * A pooler may run each statement in another session, so the node must leave nothing in a session: no LISTEN, no setting, no prepared statement.
     */
    private static boolean isPooled(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return connection.unwrap(PGConnection.class).getBackendPID() != row.getInt(1);
        }
    }

    /** Prepares a connection for the node, and returns the isolation level that it had. */
    private int prepare(Connection connection, int millis, boolean pooled) throws SQLException, SetupException {
        connection.setAutoCommit(true);
        if (pooled) {
            connection.unwrap(PGConnection.class).setPrepareThreshold(0);
        }
        int isolation = connection.getTransactionIsolation();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            if (pooled) {
                throw new SetupException(
                        "transactions are not read committed by default, and a pooler such as PgBouncer is in between; set default_transaction_isolation"
                                + " of the role to 'read committed'");
            }
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        if (connections.isOwn() && !pooled) {
            limit(connection, millis);
        }
        return isolation;
    }

    /**
     * Sets the server's limits for a connection of the node's own. A limit that an administrator has set for the role's short statements or idle sessions
     * would end requests that wait for a lock of a row, and connections that wait for notifications. Behind a pooler a setting could reach another session.
     */
    private static void limit(Connection connection, int millis) throws SQLException {
        String sql = "SELECT set_config(name, CASE name WHEN 'statement_timeout' THEN ? ELSE '0' END, false)"
                + " FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_session_timeout')";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, Integer.toString(millis));
            statement.execute();
        }
    }

    /**
     * Fails while the session of the last connection still waits for a standby. Such a session does not notice that its client has gone, so each further
     * connection could leave one more.
     */
    private void requireNoRequestUnderWay(Connection connection) throws SQLException {
        String sql = "SELECT count(*) FROM pg_stat_activity WHERE pid = ? AND wait_event = 'SyncRep'";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, lastProcess);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getLong(1) > 0) {
                    throw new SQLException(
                            "commits wait for a standby that does not answer (synchronous_standby_names), and so does an earlier request of this client");
                }
            }
        } catch (SQLException e) {
            if (!SetupException.NO_RIGHT.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /** Returns whether the server's queue, which all programs share, may have no room for notifications. The functions of the schema then send none. */
    private static boolean isQueueFull(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_notification_queue_usage() >= 0.9")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Opens the second connection. Returns null if notifications from the first one do not arrive there. */
    private @Nullable Connection listener(Connection first, int millis) throws SQLException, SetupException {
        Connection second = openSecond();
        boolean hears = false;
        try {
            second.setNetworkTimeout(Runnable::run, millis);
            prepare(second, millis, false);
            hears = listens(first, second);
            return hears ? second : null;
        } finally {
            if (!hears) {
                Connected.end(second); // a pool must not lend it again, since it listens
            }
        }
    }

    private Connection openSecond() throws SQLException {
        try {
            return connections.open();
        } catch (SQLException e) {
            if (connections.isOwn()) {
                throw e;
            }
            throw new SQLException(
                    SetupException.line(e) + ". The node has one connection of the data source, and needs a second one",
                    e.getSQLState(),
                    e);
        }
    }

    private Server check(Connection connection) throws SQLException, SetupException {
        String sql =
                "SELECT current_setting('server_version'), current_setting('server_version_num')::int, pg_is_in_recovery(),"
                        + " current_setting('transaction_read_only'), current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync,"
                        + " current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_standby_names'),"
                        + " current_setting('server_encoding'), current_setting('array_nulls') AS array_nulls";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            String version = row.getString(1).split(" ", 2)[0];
            if (row.getInt(2) < OLDEST_VERSION) {
                throw new SetupException("the server is PostgreSQL " + version + "; Holdfast needs 13 or later");
            }
            if (row.getBoolean(3)) {
                throw new SetupException(
                        "the server is a hot standby, which cannot vote; give the address of the primary");
            }
            if (row.getString(4).equals("on")) {
                throw new SetupException(
                        "transactions are read-only (default_transaction_read_only); the role needs to write");
            }
            if (!row.getString(9).toUpperCase(Locale.ROOT).equals("UTF8")) {
                throw new SetupException("the database has the encoding " + row.getString(9) + "; Holdfast needs UTF8");
            }
            if (row.getString("array_nulls").equals("off")) {
                throw new SetupException(
                        "array_nulls is off, so the server would misread requests; set it to on for the role");
            }
            List<String> warnings = new ArrayList<>();
            List<String> off = new ArrayList<>();
            for (String setting : List.of("synchronous_commit", "fsync", "full_page_writes")) {
                if (row.getString(setting).equals("off")) {
                    off.add(setting);
                }
            }
            if (!off.isEmpty()) {
                warnings.add(String.join(", ", off)
                        + " off: a crash may lose votes, so the node is quarantined after each restart");
            }
            if (row.getString(8).isEmpty()) {
                standbyWarning(connection).ifPresent(warnings::add);
            }
            return new Server(version, off.isEmpty(), warnings);
        }
    }

    /** Returns the warning for a server whose commits wait for no standby; empty if it has none. */
    private static Optional<String> standbyWarning(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_stat_replication")) {
            row.next();
            return row.getLong(1) == 0
                    ? Optional.empty()
                    : Optional.of("synchronous_standby_names is empty, and the server has standbys: " + FAILOVER_LOSES);
        } catch (SQLException e) {
            if (SetupException.NO_RIGHT.equals(e.getSQLState())) {
                return Optional.of(
                        "synchronous_standby_names is empty, and the role must not read pg_stat_replication: if the server has standbys, "
                                + FAILOVER_LOSES);
            }
            throw e;
        }
    }

    /** Begins to listen on the second connection, and returns whether a notification from the first one arrives there. */
    private boolean listens(Connection first, Connection second) throws SQLException {
        String channel;
        try (PreparedStatement statement = first.prepareStatement(schema.sql("SELECT holdfast.channel(?)"))) {
            statement.setString(1, context.client());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                channel = row.getString(1);
            }
        }
        String probe = "probe " + Long.toHexString(context.timing().random().nextLong());
        try (Statement listen = second.createStatement()) {
            listen.execute("LISTEN " + channel);
        }
        try (PreparedStatement notify = first.prepareStatement("SELECT pg_notify(?, ?)")) {
            notify.setString(1, channel);
            notify.setString(2, probe);
            notify.execute();
        }
        PGConnection listener = second.unwrap(PGConnection.class);
        long end = context.timing().ticker().nanos()
                + context.options().connectTimeout().toNanos();
        while (true) {
            long left = (end - context.timing().ticker().nanos()) / 1_000_000;
            PGNotification[] got = left < 1 ? null : listener.getNotifications((int) left);
            if (got == null || got.length == 0) {
                return false;
            }
            for (PGNotification one : got) {
                if (one.getParameter().equals(probe)) {
                    return true;
                }
            }
        }
    }
}
