package dev.holdfast.postgresql;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.NoQuorumException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that adds to a row, by reading, adding and writing under a lock, and asserts nothing in the database. */
public final class CounterWorker {

    /** The word before the token of each lease, on a line of the output. */
    static final String GRANTED = "granted ";

    /** The line of the output that says that the worker is connected, and begins once its input ends. */
    static final String READY = "ready";

    private CounterWorker() {}

    /** Returns the name of a worker's client. */
    static String client(int worker) {
        return "counter-" + worker;
    }

    /** Arguments: the port, the number of this worker, how often to add. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int worker = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:" + args[0] + "/postgres");
        source.setUser("postgres");
        try (Holdfast holdfast = Holdfast.builder()
                .nodes("postgresql://postgres@localhost:" + args[0] + "/postgres")
                .clientName(client(worker))
                .lockOptions(options -> options.ttl(Duration.ofSeconds(20))
                        .waiterTtl(Duration.ofMinutes(5))) // longer than a restart takes
                .connect()) {
            System.out.println(READY);
            System.in.readAllBytes();
            for (int round = 0; round < rounds; ) {
                try (Lease lease = holdfast.lock("counter").acquire(Duration.ofMinutes(5))) {
                    System.out.println(GRANTED + lease.fencingToken()); // first, since the server may be down
                    addOnce(source, lease, worker, round);
                    round++;
                } catch (NoQuorumException | LeaseLostException | LockTimeoutException | SQLException e) {
                    System.err.println("goes on after: " + e.getMessage());
                }
            }
        }
    }

    private static void addOnce(DataSource source, Lease lease, int worker, int round) throws SQLException {
        try (Connection connection = source.getConnection()) {
            if (!isDone(connection, worker, round)) { // the answer to a commit may have been lost
                add(connection, lease, worker, round);
            }
        }
    }

    private static boolean isDone(Connection connection, int worker, int round) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT FROM addition WHERE worker = " + worker + " AND round = " + round)) {
            return row.next();
        }
    }

    private static void add(Connection connection, Lease lease, int worker, int round) throws SQLException {
        int value;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT value FROM counter")) {
            row.next();
            value = row.getInt(1);
        }
        lease.ensureHeld();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE counter SET value = " + (value + 1));
            statement.execute(
                    "INSERT INTO addition VALUES (" + worker + ", " + round + ", " + lease.fencingToken() + ")");
        }
        connection.commit();
    }
}
