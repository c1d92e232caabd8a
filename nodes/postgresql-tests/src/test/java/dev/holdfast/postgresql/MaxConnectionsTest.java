package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireAnswer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server with few connections, all of which others use. */
@Tag("slow")
class MaxConnectionsTest extends NodeOnPostgres {

    @AutoClose
    private final TestDatabase database = TestDatabase.start(Map.of("max_connections", "8"));

    private final List<Connection> others = new ArrayList<>();

    MaxConnectionsTest() {
        super(Duration.ofSeconds(60));
    }

    @AfterEach
    void closeOthers() throws SQLException {
        for (Connection connection : others) {
            connection.close();
        }
        others.clear();
    }

    private void takeAll() {
        await().atMost(patience).until(() -> {
            try {
                others.add(DriverManager.getConnection(
                        "jdbc:postgresql://localhost:" + database.port() + "/postgres", "app", ""));
                return false;
            } catch (SQLException e) {
                return e.getSQLState().equals("53300");
            }
        });
    }

    @Test
    void theLimitIsNamedAndNothingIsLost() throws SQLException {
        database.execute("CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app");
        node = new PostgresNodeProvider()
                .open("postgresql://app@localhost:" + database.port() + "/postgres", context(ttl -> 0));
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).isInstanceOf(AcquireAnswer.Granted.class);
        database.kill();
        await().atMost(patience).until(() -> listener.serverId() == null);
        node.close();
        database.restart();
        takeAll();

        node = new PostgresNodeProvider()
                .open("postgresql://app@localhost:" + database.port() + "/postgres", context(ttl -> 0));
        await().atMost(patience)
                .untilAsserted(() -> assertThat(listener.connection())
                        .anySatisfy(line -> assertThat(line)
                                .contains("unavailable")
                                .containsAnyOf("too many clients already", "remaining connection slots are reserved")));
        closeOthers();
        untilAvailable();
        assertThat(ask("lock:a", 1, false)).as("nothing is lost").isInstanceOf(AcquireAnswer.Granted.class);
        assertThat(ask("lock:a", 2, false)).isInstanceOf(AcquireAnswer.Denied.class);
    }
}
