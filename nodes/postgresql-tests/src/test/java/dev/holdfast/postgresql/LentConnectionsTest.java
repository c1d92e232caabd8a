package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool that lends the application the same connections, as they come back: Tomcat's does, and DBCP does with its default settings. */
@Tag("slow")
class LentConnectionsTest extends NodeOnPostgres {

    private static final int TIMEOUT_MILLIS = 123_456;

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    private final AtomicInteger lent = new AtomicInteger();
    private Connection only;

    LentConnectionsTest() {
        super(Duration.ofSeconds(30));
    }

    @AfterEach
    void closeConnection() throws SQLException {
        closeNode(); // first, since it uses the connection
        only.close();
    }

    private void open(String user) throws SQLException {
        connect(user);
        node = PostgresNode.of(poolOfOne()).apply(context(ttl -> 0));
    }

    private void connect(String user) throws SQLException {
        only = DriverManager.getConnection("jdbc:postgresql://localhost:" + DATABASE.port() + "/postgres", user, "");
        only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        only.setAutoCommit(false);
        only.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
    }

    private DataSource poolOfOne() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (lent.getAndIncrement() > 0) {
                        lent.decrementAndGet();
                        throw new SQLException("the pool is empty");
                    }
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, this::call);
                });
    }

    private Object call(Object proxy, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("close")) {
            if (!only.getAutoCommit()) {
                only.rollback();
            }
            lent.decrementAndGet();
            return null;
        }
        try {
            return method.invoke(only, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void assertThatTheConnectionIsAsItWas() throws SQLException {
        node.close();
        await().atMost(patience).until(() -> lent.get() == 0);
        assertThat(only.getAutoCommit()).isFalse();
        assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(only.getNetworkTimeout()).isEqualTo(TIMEOUT_MILLIS);
    }

    /** The application's transactions would otherwise run without its isolation level, and each statement would be one of its own. */
    @Test
    void aConnectionGoesBackToThePoolAsItWas() throws SQLException {
        DATABASE.execute("CREATE ROLE app LOGIN");
        open("app");
        learns("refused", "permission denied");
        assertThatTheConnectionIsAsItWas();
    }

    @Test
    void aPoolOfOneConnectionIsTooSmall() throws SQLException {
        open("postgres");
        learns("unavailable", "the pool is empty", "needs a second one");
        assertThatTheConnectionIsAsItWas();
    }

    /** The application may have the connection already, so a vote would be granted in its transaction, and vanish if that is rolled back. */
    @Test
    void aRequestNeverUsesAConnectionThatHasGoneBack() throws Exception {
        connect("postgres");
        try (Link link = new Link(poolOfOne().getConnection(), new Schema("holdfast"), 3_600_000)) {
            link.remember();
            only.setAutoCommit(true);
            new Schema("holdfast").ensure(only);
            link.connect();
            List<LockCall> calls = List.of(LockCall.of(request("lock:a", 1, false, AcquireRequest.Update.NONE), 0));
            assertThat(link.carryOut(calls).get(0)[0]).isEqualTo("G");

            link.end();
            assertThatThrownBy(() -> link.carryOut(calls))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("closed");
        }
    }
}
