package dev.holdfast.postgresql;

import dev.holdfast.node.Blocker;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** The connection on which a node's requests go out, one statement at a time. Only one thread may use it at a time; every method blocks. */
final class Link implements AutoCloseable {

    private static final String UNKNOWN_RESULT = "08007";

    /** The beginning of the server's routine that waits for a standby. */
    private static final String WAIT_FOR_STANDBY = "SyncRep";

    private final Connection connection;
    private final Schema schema;
    private final long retentionMillis;
    private String process = ""; // of the server, and its settings, with which every statement is compared
    private @Nullable PreparedStatement carryOut;
    private @Nullable Lent lent; // null for a connection of the node's own
    private int isolationBefore = Connection.TRANSACTION_READ_COMMITTED;

    /** The state in which a pool lent the connection. Some pools lend it to the application as it comes back. */
    private record Lent(boolean autoCommit, int timeoutMillis) {}

    Link(Connection connection, Schema schema, long retentionMillis) {
        this.connection = connection;
        this.schema = schema;
        this.retentionMillis = retentionMillis;
    }

    Connection connection() {
        return connection;
    }

    /** Remembers the state in which a pool lent the connection, which {@link #close} restores. */
    void remember() throws SQLException {
        lent = new Lent(connection.getAutoCommit(), connection.getNetworkTimeout());
    }

    /** Remembers the isolation level that the connection had. */
    void remember(int isolation) {
        isolationBefore = isolation;
    }

    /** The facts with which a connection begins. */
    record Facts(String run, long lostAtMillis, long nowMillis) {}

    Facts connect() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(schema.sql("SELECT * FROM holdfast.open()"))) {
            row.next();
            process = row.getString(4);
            return new Facts(row.getString(1), row.getLong(2), row.getLong(3));
        }
    }

    /** Carries out requests in one transaction; those for the same resource in their order. Returns the answers in the order of the requests. */
    List<@Nullable String[]> carryOut(List<LockCall> calls) throws SQLException {
        PreparedStatement statement = carryOut;
        if (statement == null) {
            statement = connection.prepareStatement(schema.sql(Batch.SQL));
            carryOut = statement;
        }
        Batch batch = new Batch(calls);
        batch.set(statement, process, null, retentionMillis);
        List<@Nullable String[]> answers;
        try (ResultSet rows = statement.executeQuery()) {
            answers = batch.read(rows);
        }
        requireWholeCommit(statement.getWarnings());
        if (answers.contains(Batch.NONE)) {
            throw new SQLException("the server did not answer all of " + calls.size() + " requests");
        }
        return answers;
    }

    /**
     * Fails if the server warned that the commit may be on this server only, since an operator has cancelled its wait for a standby. Other messages change
     * nothing, such as the warning that transaction ids run out. Each names the place in the server that it comes from, in no language.
     */
    private static void requireWholeCommit(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            ServerErrorMessage message = warning instanceof PSQLWarning own ? own.getServerErrorMessage() : null;
            String routine = message == null ? null : message.getRoutine();
            if (routine == null || routine.startsWith(WAIT_FOR_STANDBY)) {
                throw new SQLException("the server warned of the commit: " + warning.getMessage(), UNKNOWN_RESULT);
            }
        }
    }

    /** Asks for the state of a resource, at a time of the node's clock; null for the present time. */
    ResourceState inspect(String resource, @Nullable Long nowMillis) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(schema.sql("SELECT * FROM holdfast.inspect(?, ?)"))) {
            statement.setObject(1, nowMillis, java.sql.Types.BIGINT);
            statement.setString(2, resource);
            long fence = 0;
            LockValue value = null;
            Seal seal = null;
            List<ResourceState.Holder> holders = new ArrayList<>();
            List<ResourceState.Waiter> waiters = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String owner = row.getString(2);
                    long remaining = row.getLong(5);
                    switch (row.getString(1)) {
                        case "R" -> {
                            fence = row.getLong(4);
                            long token = row.getLong(6);
                            value = token == 0 ? null : ValueText.value(token, row.getLong(7), row.getString(8));
                        }
                        case "S" -> seal = new Seal(owner, row.getLong(4), remaining);
                        case "V" ->
                            holders.add(new ResourceState.Holder(
                                    Blocker.Kind.HOLDFAST,
                                    owner,
                                    LockCall.mode(row.getInt(3)),
                                    row.getLong(4),
                                    OptionalLong.of(remaining)));
                        default ->
                            waiters.add(new ResourceState.Waiter(owner, LockCall.mode(row.getInt(3)), remaining));
                    }
                }
            }
            return new ResourceState(resource, fence, holders, waiters, seal, value);
        }
    }

    ListAnswer.Names list(String prefix, int limit) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(schema.sql("SELECT * FROM holdfast.list(NULL, ?, ?)"))) {
            statement.setString(1, prefix);
            statement.setInt(2, limit == Integer.MAX_VALUE ? limit : limit + 1);
            List<String> names = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                }
            }
            boolean complete = names.size() <= limit;
            return new ListAnswer.Names(complete ? names : names.subList(0, limit), complete);
        }
    }

    /** Returns a GRANTED push for each of these positions that has become a vote. */
    List<Push> votesOf(List<Poller.Waiting> positions) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(schema.sql("SELECT * FROM holdfast.votes_of(?, ?)"))) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text",
                            positions.stream().map(Poller.Waiting::resource).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text",
                            positions.stream().map(Poller.Waiting::owner).toArray()));
            List<Push> pushes = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    OwnerId owner = OwnerId.parse(row.getString(2)).orElseThrow();
                    long token = row.getLong(4);
                    LockValue value = token == 0 ? null : ValueText.value(token, row.getLong(5), row.getString(6));
                    pushes.add(new Push.Granted(row.getString(1), owner, row.getLong(3), value));
                }
            }
            return pushes;
        }
    }

    /** The server's clock, the time since its start, and the database. */
    record Health(long nowMillis, long uptimeMillis, String database) {}

    Health health() throws SQLException {
        String sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,"
                + " (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint, current_database()";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new Health(row.getLong(1), row.getLong(2), row.getString(3));
        }
    }

    /**
     * Drops expired state of the next resources after a name.
     *
     * @param after the last name of the step before; empty for the first step
     * @param everyMillis for the first step, how long after the first step of any client it does nothing
     * @return the last name of this step; empty if there is nothing left to do
     */
    String sweep(String after, int limit, long everyMillis) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.sql("SELECT holdfast.sweep(?, ?, ?)"))) {
            statement.setString(1, after);
            statement.setInt(2, limit);
            statement.setLong(3, everyMillis);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return Objects.requireNonNullElse(row.getString(1), "");
            }
        }
    }

    /**
     * Ends the connection, even while another thread sends a request on it. A lent one does not go back: the request could run in a transaction of the
     * application, and a vote would vanish with that.
     */
    void end() {
        if (lent == null) {
            close();
        } else {
            Connected.end(connection);
        }
    }

    /** Gives the connection back as it was lent, or closes it. No other thread may use it. */
    @Override
    public void close() {
        try (connection) {
            Lent before = lent;
            if (before != null) {
                if (isolationBefore != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(isolationBefore);
                }
                connection.setAutoCommit(before.autoCommit);
                connection.setNetworkTimeout(Runnable::run, before.timeoutMillis);
            }
        } catch (SQLException e) {
            // the server ends what is left of the connection
        }
    }
}
