package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.fence.ColumnGuard;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** A program that takes stock from a database row under a lock. The row rejects writes of earlier holders of the lock. */
public final class StockUnderLoad {

    /** The table's definition; {@code fence} is the newest token that changed the row. */
    public static final String DDL =
            "CREATE TABLE stock (item varchar(100) PRIMARY KEY, pieces bigint NOT NULL, fence bigint NOT NULL DEFAULT 0)";

    private static final ColumnGuard GUARD = new ColumnGuard("stock", "item", "fence");

    private StockUnderLoad() {}

    /**
     * Takes pieces of an item.
     *
     * @return true if enough pieces were in stock
     * @throws dev.holdfast.fence.StaleTokenException if another client has held the lock since: nothing was taken
     */
    public static boolean take(Holdfast holdfast, Connection database, String item, int pieces)
            throws InterruptedException, SQLException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("stock:" + item);
        try (Lease lease = lock.acquire(Duration.ofSeconds(10))) {
            GUARD.check(database, item, lease.fencingToken()); // before reading what is about to be changed
            long left = piecesOf(database, item);
            if (left >= pieces) {
                setPieces(database, item, left - pieces);
            }
            database.commit();
            return left >= pieces;
        } finally {
            database.rollback(); // discards what was not committed
        }
        // recipe:end
    }

    private static long piecesOf(Connection database, String item) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement("SELECT pieces FROM stock WHERE item = ?")) {
            statement.setString(1, item);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static void setPieces(Connection database, String item, long pieces) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement("UPDATE stock SET pieces = ? WHERE item = ?")) {
            statement.setLong(1, pieces);
            statement.setString(2, item);
            statement.executeUpdate();
        }
    }

    /** Takes one bolt after another until none is left. The arguments are the database's JDBC URL and the nodes; without nodes, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException, SQLException {
        String[] nodes = Nodes.orMemory(arguments, 1);
        try (Holdfast holdfast = Holdfast.connect(nodes);
                Connection database = DriverManager.getConnection(arguments[0])) {
            database.setAutoCommit(false);
            int taken = 0;
            while (take(holdfast, database, "bolt", 1)) {
                taken++;
            }
            System.out.println(taken + " bolts taken");
        }
    }
}
