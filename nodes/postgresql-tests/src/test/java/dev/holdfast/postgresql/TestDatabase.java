package dev.holdfast.postgresql;

import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.testkit.postgresql.PostgresProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL server, in a process of its own. */
final class TestDatabase implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3); // a start on a busy machine

    private final Path folder;
    private final EmbeddedPostgres server;

    private TestDatabase(Path folder, EmbeddedPostgres server) {
        this.folder = folder;
        this.server = server;
    }

    static TestDatabase start() {
        return start(Map.of());
    }

    /** Starts a server with these settings. */
    static TestDatabase start(Map<String, String> settings) {
        try {
            Path folder = Files.createTempDirectory(
                    Files.createDirectories(Path.of("target", "postgresql").toAbsolutePath()), "server");
            return startIn(folder, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server with these settings and with its data in this folder. */
    static TestDatabase startIn(Path folder, Map<String, String> settings) {
        try {
            EmbeddedPostgres.Builder builder = builder(Files.createDirectories(
                            Path.of("target", "postgresql").toAbsolutePath()))
                    .setDataDirectory(folder.resolve("data"))
                    .setPort(FreePort.pick())
                    .setPGStartupWait(PATIENCE)
                    .setRegisterShutdownHook(false);
            builder.setServerConfig(
                    "synchronous_commit", "on"); // the builder itself makes a server that is not durable
            builder.setServerConfig("fsync", "on");
            builder.setServerConfig("full_page_writes", "on");
            settings.forEach(builder::setServerConfig);
            EmbeddedPostgres server = builder.start();
            TestDatabase database = new TestDatabase(folder, server);
            ProcessHandle.of(database.pid()).ifPresent(OsProcess::endingWithThisJvm);
            return database;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a builder for the server that the environment names; otherwise for the one that comes with the build. */
    private static EmbeddedPostgres.Builder builder(Path folder) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        String named = System.getenv(ServerFiles.VARIABLE);
        if (named == null) {
            return builder.setOverrideWorkingDirectory(
                    folder.resolve("binaries").toFile());
        }
        ServerFiles files = new ServerFiles(Path.of(named));
        return builder.setPgBinaryResolver(files)
                .setOverrideWorkingDirectory(folder.resolve(files.folder()).toFile());
    }

    /** Returns the process id of the server. */
    long pid() {
        return process().pid();
    }

    /** Ends the server without any warning, as a crash does. */
    void kill() {
        process().kill();
    }

    /** Starts the server again after {@link #kill}, on the same port. */
    void restart() {
        process().restart();
        await().atMost(PATIENCE).until(this::answers);
    }

    /** Starts the server again as a hot standby that has no primary any more, on the same port. Returns once it answers. */
    void becomeStandby() {
        try {
            kill();
            Files.createFile(folder.resolve("data").resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    /** Starts a hot standby that follows this server, which it restarts. */
    PostgresProcess standby(String name) {
        return process().standby(folder.resolve(name), name, FreePort.pick());
    }

    private PostgresProcess process() {
        return PostgresProcess.of(folder.resolve("data"));
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    int port() {
        return server.getPort();
    }

    /** Returns the node's URI for the first user of the server. */
    String uri() {
        return "postgresql://postgres@localhost:" + port() + "/postgres";
    }

    private DataSource dataSource(String name) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:" + port() + "/" + name);
        source.setUser("postgres");
        return source;
    }

    Connection connect() throws SQLException {
        return connect("postgres");
    }

    /** Connects to the database of this name. */
    Connection connect(String name) throws SQLException {
        return dataSource(name).getConnection();
    }

    /** Executes statements as the first user. */
    void execute(String sql) {
        execute("postgres", sql);
    }

    /** Executes statements in the database of this name. */
    void execute(String name, String sql) {
        try (Connection connection = connect(name);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
