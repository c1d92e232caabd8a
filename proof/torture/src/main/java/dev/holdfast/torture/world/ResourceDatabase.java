package dev.holdfast.torture.world;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * A PostgreSQL server with the resource that the locks protect. Each lock has two rows, one of which its token guards.
 * No fault strikes this server.
 */
public final class ResourceDatabase implements AutoCloseable {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS resource (name text PRIMARY KEY,"
            + " fence bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0, value bigint NOT NULL DEFAULT 0, lease text)";
    private static final List<String> ROWS = List.of(" guarded", " unguarded");

    private final EmbeddedPostgres server;

    private ResourceDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts a server in this directory, and creates its table. */
    public static ResourceDatabase start(Path directory) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(directory.resolve("data"))
                .setPort(FreePort.pick())
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off") // this server never loses power
                .setServerConfig("synchronous_commit", "off")
                .start();
        long pid = Long.parseLong(Files.readAllLines(directory.resolve("data").resolve("postmaster.pid"))
                .get(0));
        ProcessHandle.of(pid).ifPresent(OsProcess::endingWithThisJvm);
        return new ResourceDatabase(server);
    }

    /** Returns the JDBC URL for clients. */
    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Returns the version that the server reports. */
    public String version() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW server_version")) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Creates fresh rows for these locks. */
    public void clear(List<String> locks) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute("DELETE FROM resource");
            for (String lock : locks) {
                for (String row : ROWS) {
                    statement.execute("INSERT INTO resource (name) VALUES ('" + lock + row + "')");
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
