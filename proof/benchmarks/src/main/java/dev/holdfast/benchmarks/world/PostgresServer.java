package dev.holdfast.benchmarks.world;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on a disk, with a database for each value of {@code synchronous_commit}. All other settings but the number of connections are
 * the server's own defaults. Not thread-safe.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String CONNECTIONS = "300";

    private final EmbeddedPostgres server;
    private final OsProcess handle;
    private final ProcessHandle postmaster;

    private PostgresServer(EmbeddedPostgres server, long pid) {
        this.server = server;
        postmaster = ProcessHandle.of(pid).orElseThrow();
        handle = OsProcess.endingWithThisJvm(postmaster);
    }

    /** Starts a server with its data in this directory, and waits until it answers. */
    public static PostgresServer start(Path directory) {
        try {
            Path data = Files.createTempDirectory(directory, "postgresql-");
            EmbeddedPostgres started = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                    .setDataDirectory(data)
                    .setPort(FreePort.pick())
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setRegisterShutdownHook(false)
                    .setServerConfig("max_connections", CONNECTIONS)
                    .setServerConfig(
                            "synchronous_commit", "on") // the builder itself makes a server that is not durable
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start();
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            PostgresServer server = new PostgresServer(started, pid);
            for (String commit : new String[] {"on", "off"}) {
                server.execute("postgres", "CREATE DATABASE " + database(commit));
                server.execute(
                        "postgres", "ALTER DATABASE " + database(commit) + " SET synchronous_commit = " + commit);
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String database(String commit) {
        return "commit_" + commit;
    }

    /** Returns the address of the database with this value of {@code synchronous_commit}. */
    public String uri(String commit) {
        return uri(server.getPort(), commit);
    }

    /** Returns the address of that database behind a proxy. */
    public static String uri(int port, String commit) {
        return "postgresql://postgres@127.0.0.1:" + port + "/" + database(commit);
    }

    /** Connects to that database. */
    public Connection connect(String commit) throws SQLException {
        return server.getDatabase("postgres", database(commit)).getConnection();
    }

    /** Returns the server's port. */
    public int port() {
        return server.getPort();
    }

    /** Returns the processor time of all processes of the server so far, in microseconds. */
    public double cpuMicros() {
        return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .mapToDouble(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3)
                .sum();
    }

    /** Returns how much the server has written to its log of changes so far, in bytes. */
    public double walBytes() {
        try (Connection connection = server.getDatabase("postgres", "postgres").getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return row.getDouble(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(String database, String sql) {
        try (Connection connection = server.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            handle.kill();
        }
    }
}
