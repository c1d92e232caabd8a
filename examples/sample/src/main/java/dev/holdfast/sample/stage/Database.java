package dev.holdfast.sample.stage;

import dev.holdfast.redis.process.OsProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/** A real PostgreSQL with the tables of the order service. */
public final class Database {

    private final EmbeddedPostgres server;

    private Database(EmbeddedPostgres server) {
        this.server = server;
    }

    static Database start(Path folder) {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                    .setDataDirectory(folder.resolve("data"))
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setServerConfig("fsync", "off") // its data need not survive a power failure
                    .setRegisterShutdownHook(false) // close() ends it, after its users
                    .start();
            long pid = Long.parseLong(Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"))
                    .get(0));
            ProcessHandle.of(pid).ifPresent(OsProcess::endingWithThisJvm);
            makeTables(server.getPostgresDatabase());
            return new Database(server);
        } catch (IOException | SQLException | IllegalStateException e) {
            throw new StageException("PostgreSQL does not start: " + e.getMessage(), e);
        }
    }

    private static void makeTables(DataSource postgres) throws IOException, SQLException {
        try (InputStream schema = Objects.requireNonNull(Database.class.getResourceAsStream("/schema.sql"));
                Connection connection = postgres.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Returns the JDBC URL. */
    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Returns a data source for the superuser. */
    public DataSource dataSource() {
        return server.getPostgresDatabase();
    }

    /** Returns the port at which it listens. */
    public int port() {
        return server.getPort();
    }

    void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
