package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.fence.JdbcGuard;
import dev.holdfast.fence.SqlDialect;
import dev.holdfast.lock.Lease;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Workers that send the notifications of a table in batches, one worker at a time. */
public final class NotificationBatches {

    /** The table's definition. */
    public static final String DDL = "CREATE TABLE notifications (id bigint PRIMARY KEY, text varchar(100) NOT NULL,"
            + " sent boolean NOT NULL DEFAULT false)";

    /** The guard of the whole table, since a batch covers several rows. {@link JdbcGuard#ddl} creates the guard's own table. */
    public static final JdbcGuard GUARD = JdbcGuard.of(SqlDialect.POSTGRESQL);

    /** The name of the lock and of the resource that the guard protects. */
    public static final String TABLE = "notifications";

    private static final int BATCH = 10;

    private NotificationBatches() {}

    /**
     * A row to send.
     *
     * @param id the row's id, by which the receiver can recognize duplicates
     * @param text the text to send
     */
    public record Notification(long id, String text) {}

    /**
     * Sends the next batch.
     *
     * @return the number of notifications sent; 0 if none is left
     * @throws dev.holdfast.lock.LeaseLostException if the lease was lost during the batch: what was sent is not marked, and is sent again
     * @throws dev.holdfast.fence.StaleTokenException if another client has held the lock since: what was sent is not marked, and is sent again
     */
    public static int sendNext(Holdfast holdfast, Connection database, Consumer<Notification> sender)
            throws InterruptedException, SQLException {
        // recipe:begin
        try (Lease lease = holdfast.lock(TABLE).acquire(Duration.ofSeconds(30))) {
            GUARD.check(database, TABLE, lease.fencingToken()); // from here on no former holder marks anything
            List<Notification> batch = unsent(database);
            database.commit(); // nothing stays locked in the database while the batch is sent
            for (Notification notification : batch) {
                lease.ensureHeld();
                sender.accept(notification);
            }
            GUARD.check(database, TABLE, lease.fencingToken()); // throws if another worker has had the lock since
            markSent(database, batch);
            database.commit();
            return batch.size();
        } finally {
            database.rollback(); // discards what was not committed
        }
        // recipe:end
    }

    private static List<Notification> unsent(Connection database) throws SQLException {
        List<Notification> batch = new ArrayList<>();
        try (PreparedStatement statement = database.prepareStatement(
                        "SELECT id, text FROM notifications WHERE NOT sent ORDER BY id LIMIT " + BATCH);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                batch.add(new Notification(rows.getLong(1), rows.getString(2)));
            }
        }
        return batch;
    }

    private static void markSent(Connection database, List<Notification> batch) throws SQLException {
        try (PreparedStatement statement =
                database.prepareStatement("UPDATE notifications SET sent = true WHERE id = ?")) {
            for (Notification notification : batch) {
                statement.setLong(1, notification.id());
                statement.executeUpdate();
            }
        }
    }

    /** Sends all notifications that are left. The arguments are the database's JDBC URL and the nodes; without nodes, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException, SQLException {
        String[] nodes = Nodes.orMemory(arguments, 1);
        try (Holdfast holdfast = Holdfast.connect(nodes);
                Connection database = DriverManager.getConnection(arguments[0])) {
            database.setAutoCommit(false);
            int sent;
            do {
                sent = sendNext(holdfast, database, one -> System.out.println("sent " + one.text()));
            } while (sent > 0);
        }
    }
}
