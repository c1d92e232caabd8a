package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real PgBouncer in transaction mode, with one session at the server for all clients; skipped where there is no {@code pgbouncer}. */
@Tag("slow")
class PgBouncerTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    static Path folder;

    private static TestDatabase database;
    private static Process pooler;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin")
                .map(path -> Path.of(path, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent(), "there is no pgbouncer on this machine");
        database = TestDatabase.start();
        port = FreePort.pick();
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "[databases]",
                        "postgres = host=127.0.0.1 port=" + database.port() + " user=postgres",
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        "pool_mode = transaction",
                        "default_pool_size = 1",
                        "ignore_startup_parameters = extra_float_digits",
                        ""));
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // it refuses to run as root
        }
        command.addAll(List.of(program.get().toString(), settings.toString()));
        pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        OsProcess.endingWithThisJvm(pooler.toHandle());
        await().atMost(LONG).until(PgBouncerTest::answers);
    }

    private static boolean answers() throws IOException {
        assertThat(pooler.isAlive())
                .as(() -> "pgbouncer ended: " + read(folder.resolve("log")))
                .isTrue();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @AfterAll
    static void stop() {
        if (pooler != null) {
            pooler.destroyForcibly();
        }
        if (database != null) {
            database.close();
        }
    }

    private static Holdfast connect() {
        return Holdfast.connect("postgresql://postgres@127.0.0.1:" + port + "/postgres");
    }

    @Test
    void locksWorkThroughAPoolerAndWaitersPoll() throws Exception {
        try (Holdfast one = connect();
                Holdfast other = connect()) {
            NodeStatus status = one.admin().nodes().get(0);
            assertThat(status.state()).isEqualTo(NodeStatus.State.UP);
            assertThat(status.server().warnings())
                    .singleElement()
                    .asString()
                    .contains("a pooler such as PgBouncer", "waiters poll every 100 ms");

            Lease lease = one.lock("pooled").acquire(LONG);
            CompletableFuture<Lease> next =
                    other.lock("pooled").acquireAsync(LONG).toCompletableFuture();
            await().atMost(LONG)
                    .until(() -> one.lock("pooled").status().waiters().size() == 1);
            lease.release();
            try (Lease granted = next.join()) {
                assertThat(granted.fencingToken()).isGreaterThan(lease.fencingToken());
            }
        }
    }

    /** All clients and this test share one session at the server, in turns. What a client left in it would be seen here, or fail elsewhere. */
    @Test
    void nothingStaysInTheSessionThatAllShare() throws Exception {
        int times = 30; // the driver prepares a statement at the server from the fifth use on
        int[] counter = new int[1]; // guarded by the lock
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        try (Holdfast one = connect();
                Holdfast other = connect()) {
            for (Holdfast client : List.of(one, other)) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < times; i++) {
                        try (Lease lease = client.lock("counter").acquire(LONG)) {
                            counter[0]++;
                        } catch (InterruptedException | RuntimeException e) {
                            failures.add(e);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(counter[0]).isEqualTo(2 * times);
            assertThat(ask("SELECT count(*) FROM pg_prepared_statements")).isEqualTo("0");
            assertThat(ask("SELECT count(*) FROM pg_listening_channels()")).isEqualTo("0");
            assertThat(ask("SHOW lock_timeout")).isEqualTo("0");
            assertThat(ask("SHOW default_transaction_isolation")).isEqualTo("read committed");
            assertThat(ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void anotherIsolationLevelIsRefusedSinceTheSessionIsShared() throws Exception {
        database.execute("ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'");
        try {
            // sessions of the pooler that are open keep their setting; a new one has the other
            database.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
            try (Holdfast holdfast = Holdfast.builder()
                    .nodes("postgresql://postgres@127.0.0.1:" + port + "/postgres")
                    .build()) {
                await().atMost(LONG)
                        .until(() ->
                                holdfast.admin().nodes().get(0).detail().contains("not read committed by default"));
            }
        } finally {
            database.execute("ALTER DATABASE postgres RESET default_transaction_isolation");
            database.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
        }
    }

    private static String ask(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?prepareThreshold=0", "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
