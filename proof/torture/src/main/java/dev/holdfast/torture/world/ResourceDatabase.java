package dev.holdfast.torture.world;

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

/** A PostgreSQL server with the resource that the locks protect: two rows for each lock, one to be guarded by its token. No faults here. */
public final class ResourceDatabase implements AutoCloseable {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS resource (name text PRIMARY KEY,"
            + " fence bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0, value bigint NOT NULL DEFAULT 0, lease text)";
    private static final List<String> ROWS = List.of(" guarded", " unguarded");

    private final EmbeddedPostgres server;

    private ResourceDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts one in this directory, with its table. */
    public static ResourceDatabase start(Path directory) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(directory.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off") // nobody pulls its plug
                .setServerConfig("synchronous_commit", "off")
                .start();
        long pid = Long.parseLong(Files.readAllLines(directory.resolve("data").resolve("postmaster.pid"))
                .get(0));
        ProcessHandle.of(pid).ifPresent(OsProcess::endingWithThisJvm);
        return new ResourceDatabase(server);
    }

    /** Returns where clients find it. */
    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Returns its version, in its own words. */
    public String version() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW server_version")) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Fresh rows for these locks. */
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
