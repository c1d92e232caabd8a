package dev.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Guards in a real MariaDB. The tests are skipped if {@code mariadbd} or {@code mariadb-install-db} is not on this machine. */
@Tag("slow")
class MariaDbGuardTest extends JdbcGuardContract {

    @TempDir
    private static Path folder;

    private static Process server;
    private static Path log;
    private static String url;

    private static Optional<Path> find(String program) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(place -> Path.of(place, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @BeforeAll
    static void startServer() throws Exception {
        Optional<Path> daemon = find("mariadbd");
        Optional<Path> installer = find("mariadb-install-db");
        assumeTrue(daemon.isPresent() && installer.isPresent(), "there is no mariadbd on this machine");
        log = folder.resolve("log");
        String data = "--datadir=" + folder.resolve("data");
        run(installer.get().toString(), "--no-defaults", data, "--auth-root-authentication-method=normal", asRoot());
        int port = 0;
        for (int tries = 0; tries < 3 && (server == null || !server.isAlive()); tries++) {
            port = freePort(); // another process may take the port before the server does
            startServer(daemon.get(), data, port);
        }
        assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
        url = "jdbc:mariadb://127.0.0.1:" + port + "/test?user=root&createDatabaseIfNotExist=true";
    }

    /** Returns when the server is ready, or has ended. */
    private static void startServer(Path daemon, String data, int port) throws IOException {
        server = start(
                daemon.toString(),
                "--no-defaults",
                data,
                asRoot(),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                "--pid-file=" + folder.resolve("pid"),
                "--innodb-flush-log-at-trx-commit=0");
        await().atMost(Duration.ofSeconds(60)).until(() -> said("ready for connections") || !server.isAlive());
    }

    private static String asRoot() {
        return "--user=" + System.getProperty("user.name");
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static void run(String... command) throws Exception {
        Process process = start(command);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }

    private static boolean said(String words) throws IOException {
        return Files.readString(log).contains(words);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.destroy();
            if (!server.waitFor(30, TimeUnit.SECONDS)) {
                server.destroyForcibly().waitFor();
            }
        }
    }

    @Override
    SqlDialect dialect() {
        return SqlDialect.MYSQL;
    }

    @Override
    Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return connection;
    }

    @Override
    String countingKey() {
        return "bigint AUTO_INCREMENT PRIMARY KEY";
    }
}
