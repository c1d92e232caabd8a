package dev.holdfast.postgresql;

import dev.holdfast.node.NodeListener;
import dev.holdfast.time.Scheduler;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * The connections to a server, and the facts about it.
 *
 * @param notifications the connection for notifications; null if none arrive
 * @param run the identity of the server and its run
 * @param lostAtMillis the time, by the server's clock, since which it may lack commits of an earlier run; 0 if it lost nothing
 * @param durable whether a commit survives a crash of the server
 */
record Connected(
        Link link,
        @Nullable Connection notifications,
        String run,
        long lostAtMillis,
        long nowMillis,
        boolean durable,
        String version,
        List<String> warnings) {

    private static final int SILENCE_MILLIS = 20_000;
    private static final int ANSWER_SECONDS = 5;

    boolean hasNotifications() {
        return notifications != null;
    }

    /**
     * Reads notifications on a thread of its own until the connection ends. After a silence it asks the server for an answer: a firewall that drops an idle
     * connection tells neither end, and every hand-over would wait for the next retry.
     */
    void listen(Scheduler scheduler, NodeListener listener, Consumer<String> ended) {
        Connection connection = notifications;
        if (connection != null) {
            scheduler.start("postgresql-notifications", () -> {
                try {
                    PGConnection source = connection.unwrap(PGConnection.class);
                    connection.setNetworkTimeout(Runnable::run, 0); // a long silence is normal here
                    while (true) {
                        PGNotification[] got = source.getNotifications(SILENCE_MILLIS);
                        for (PGNotification one : got == null ? new PGNotification[0] : got) {
                            PushText.parse(one.getParameter()).ifPresent(listener::pushed);
                        }
                        if ((got == null || got.length == 0) && !connection.isValid(ANSWER_SECONDS)) {
                            throw new SQLException("no answer on the connection for notifications");
                        }
                    }
                } catch (SQLException e) {
                    ended.accept(Failure.of(e).reason());
                }
            });
        }
    }

    void close() {
        link.end();
        end(notifications);
    }

    /** Ends a connection, even while a thread waits on it for an answer or a notification. */
    static void end(@Nullable Connection connection) {
        if (connection != null) {
            try (connection) { // HikariCP counts an aborted connection as in use until close()
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                // the connection is closed already
            }
        }
    }
}
