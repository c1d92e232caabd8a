package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes add to a row under a lock while the server is killed and restarted. No addition is lost, none counts twice, and the waiters of each kill
 * are served in the order of their queue.
 */
@Tag("slow")
class CounterTest {

    private static final int PROCESSES = Effort.of(3, 8);
    private static final int ROUNDS = Effort.of(20, 200);
    private static final int KILLS = Effort.of(2, 20);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    @Timeout(1_800)
    void noIncrementIsLostWhileTheServerIsKilledAndRestarted(TestReporter reporter) throws Exception {
        List<Process> workers = new ArrayList<>();
        List<CounterQueue> queues = new ArrayList<>();
        try (TestDatabase database = TestDatabase.start()) {
            database.execute(
                    "CREATE TABLE counter (value int NOT NULL); INSERT INTO counter VALUES (0);"
                            + " CREATE TABLE addition (worker int, round int, token bigint UNIQUE, PRIMARY KEY (worker, round))");
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(start(i, database.port()));
            }
            begin(workers);
            int total = PROCESSES * ROUNDS;
            for (int kill = 1; kill <= KILLS; kill++) {
                int until = total * kill / (KILLS + 1);
                await().atMost(Duration.ofMinutes(3))
                        .pollInterval(Duration.ofMillis(20)) // while there are rounds left
                        .until(() -> counter(database) >= until);
                queues.add(CounterQueue.read(database));
                database.kill();
                database.restart();
            }
            for (int i = 0; i < PROCESSES; i++) {
                assertThat(workers.get(i).waitFor(10, TimeUnit.MINUTES)).isTrue();
                assertThat(workers.get(i).exitValue())
                        .as("worker %s: %s", i, Files.readString(log(i)))
                        .isZero();
            }
            assertThat(counter(database)).isEqualTo(total);
            assertServedInOrder(queues, reporter);
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT run <> '' AND lost_at = 0 FROM holdfast.node")) {
                row.next();
                assertThat(row.getBoolean(1))
                        .as("no client took a restart for state loss")
                        .isTrue();
            }
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
    }

    /** Lets the workers begin once all of them are connected: otherwise one could end before another one waits for it. */
    private void begin(List<Process> workers) throws IOException {
        for (int i = 0; i < PROCESSES; i++) {
            Path log = log(i);
            await("worker " + i + " is connected")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> Files.readAllLines(log).contains(CounterWorker.READY));
        }
        for (Process worker : workers) {
            worker.getOutputStream().close();
        }
    }

    private void assertServedInOrder(List<CounterQueue> queues, TestReporter reporter) throws IOException {
        TreeMap<Long, String> granted = CounterQueue.granted(
                IntStream.range(0, PROCESSES).mapToObj(this::log).toList());
        int waiters = 0;
        for (CounterQueue queue : queues) {
            assertThat(queue.servedIn(granted))
                    .as("the order after the kill during token %d", queue.token())
                    .isEqualTo(queue.clients());
            waiters += queue.clients().size();
        }
        reporter.publishEntry(
                granted.size() + " leases, " + KILLS + " kills, " + waiters + " waiters kept their order");
        assertThat(waiters).isPositive();
    }

    private Path log(int worker) {
        return directory.resolve("worker-" + worker + ".log");
    }

    private Process start(int worker, int port) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CounterWorker.class.getName(),
                        Integer.toString(port),
                        Integer.toString(worker),
                        Integer.toString(ROUNDS))
                .redirectErrorStream(true)
                .redirectOutput(log(worker).toFile())
                .start();
    }

    private static int counter(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT value FROM counter")) {
            row.next();
            return row.getInt(1);
        }
    }
}
