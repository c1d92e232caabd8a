package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client uses two connections, whether one caller waits or 10,000 do, and takes no further one from the application's pool. */
@Tag("slow")
class ConnectionsTest {

    private static final int LOCKS = 100;
    private static final int WAITERS_OF_EACH = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.start();

    /**
     * A pool of so many connections, which counts those in use. A caller that gets none within a second fails. As with HikariCP, a connection that was only
     * aborted stays in use.
     */
    private static final class SmallPool {

        private final Semaphore free;
        private final AtomicInteger used = new AtomicInteger();
        private final AtomicInteger mostUsed = new AtomicInteger();
        private final List<Integer> timeoutsAtReturn = new CopyOnWriteArrayList<>();

        SmallPool(int size) {
            free = new Semaphore(size);
        }

        DataSource dataSource() {
            return (DataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                        if (!method.getName().equals("getConnection")) {
                            throw new UnsupportedOperationException(method.getName());
                        }
                        return connection();
                    });
        }

        private Connection connection() throws SQLException, InterruptedException {
            if (!free.tryAcquire(1, TimeUnit.SECONDS)) {
                throw new SQLException("the pool is empty");
            }
            mostUsed.accumulateAndGet(used.incrementAndGet(), Math::max);
            Connection real = DATABASE.connect();
            AtomicBoolean returned = new AtomicBoolean();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                        boolean ends = method.getName().equals("close") && !returned.getAndSet(true);
                        if (ends && !real.isClosed()) {
                            timeoutsAtReturn.add(real.getNetworkTimeout());
                        }
                        try {
                            return method.invoke(real, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        } finally {
                            if (ends) {
                                used.decrementAndGet();
                                free.release();
                            }
                        }
                    });
        }
    }

    private static List<String> column(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = DATABASE.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }

    private static List<String> sessions() throws SQLException {
        return column(
                "SELECT state FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    }

    @Test
    void oneWaiterOrTenThousandUseTwoConnections() throws Exception {
        SmallPool pool = new SmallPool(3);
        try (Holdfast holder = Holdfast.connect(DATABASE.uri());
                Holdfast waiting = Holdfast.builder()
                        .node(PostgresNode.of(pool.dataSource()))
                        .lockOptions(ConnectionsTest::patient)
                        .connect()) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(holder.lock("lock-" + i).ttl(Duration.ofMinutes(10)).acquire(Duration.ofSeconds(60)));
            }
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            waiters.add(begin(waiting, 0));
            await().atMost(PATIENCE).until(() -> queued() == 1);
            awaitTwoSessionsOfEachClient("one waiter");

            for (int i = 1; i < LOCKS * WAITERS_OF_EACH; i++) {
                waiters.add(begin(waiting, i % LOCKS));
            }
            await().atMost(PATIENCE).until(() -> queued() == LOCKS * WAITERS_OF_EACH);
            awaitTwoSessionsOfEachClient("10,000 waiters");
            assertThat(pool.mostUsed.get()).isEqualTo(2);
            try (Connection ofTheApplication = pool.connection()) {
                assertThat(ofTheApplication.isValid(5))
                        .as("the pool has its third connection")
                        .isTrue();
            }
            assertThat(column("SELECT locktype FROM pg_locks WHERE locktype = 'advisory'"))
                    .isEmpty();

            held.forEach(Lease::release);
            for (int i = 0; i < LOCKS; i++) { // the first in each queue
                waiters.get(i).get(2, TimeUnit.MINUTES);
            }
            assertThat(pool.mostUsed.get()).isEqualTo(3); // with that of the application
        }
        await().atMost(PATIENCE).until(() -> pool.used.get() == 0);
        assertThat(pool.timeoutsAtReturn).as("only that of the application").containsExactly(0);
        await().atMost(PATIENCE).until(() -> sessions().isEmpty());
    }

    /** Waits, since the session of an earlier query of the test may take a moment to end. */
    private static void awaitTwoSessionsOfEachClient(String when) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(sessions()).as(when).hasSize(4).doesNotContain("idle in transaction"));
    }

    private static LockOptions patient(LockOptions options) {
        return options.ttl(Duration.ofMinutes(10))
                .waiterTtl(Duration.ofMinutes(10))
                .localHandOver(false);
    }

    private static CompletableFuture<Lease> begin(Holdfast client, int lock) {
        DistributedLock wanted = client.lock("lock-" + lock);
        return wanted.acquireAsync(Duration.ofMinutes(10)).toCompletableFuture();
    }

    private static int queued() throws SQLException {
        return Integer.parseInt(column("SELECT count(*) FROM holdfast.waiter").get(0));
    }
}
