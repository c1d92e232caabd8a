package dev.holdfast.torture.world;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.testkit.postgresql.PostgresProcess;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server that is a node, and its standby. A promotion makes the standby the node, with a new standby. Thread-safe. */
public final class PostgresServer implements NodeServer, AutoCloseable {

    private static final String STANDBY = "s1";
    private static final String LEFT = """
            WITH t AS (SELECT holdfast.clock_millis() AS now)
            SELECT 'vote of ' || resource FROM t, holdfast.vote WHERE expiry > now
            UNION ALL SELECT 'waiter of ' || resource FROM t, holdfast.waiter WHERE expiry > now
            UNION ALL SELECT 'tombstone of ' || resource FROM t, holdfast.tombstone WHERE expiry > now
            UNION ALL SELECT name FROM t, holdfast.resource
              WHERE fence_expiry > now OR longest_ttl_expiry > now OR seal_expiry > now""";

    private final Path directory;
    private final List<TcpProxy> links = new ArrayList<>();
    private int generation;
    private PostgresProcess primary;
    private PostgresProcess standby;

    private PostgresServer(Path directory, PostgresProcess primary, PostgresProcess standby) {
        this.directory = directory;
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts a durable server in this directory, and a standby that each commit waits for. */
    static PostgresServer start(Path directory, Path binaries) throws IOException {
        Path data = directory.resolve("data-0");
        EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(binaries.toFile())
                .setDataDirectory(data)
                .setPort(FreePort.pick())
                .setPGStartupWait(Duration.ofMinutes(2))
                .setRegisterShutdownHook(false) // close() ends it
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("wal_keep_size", "256MB")
                .setServerConfig(
                        "wal_retrieve_retry_interval", "200ms") // commits wait for the standby after each restart
                .start();
        PostgresProcess primary = PostgresProcess.of(data);
        ProcessHandle.of(primary.pid()).ifPresent(OsProcess::endingWithThisJvm);
        PostgresServer server = new PostgresServer(
                directory, primary, primary.standby(directory.resolve("data-1"), STANDBY, FreePort.pick()));
        server.generation = 1;
        server.waitForStandby(true);
        return server;
    }

    /** Makes each commit wait for the standby, or not. */
    private void waitForStandby(boolean waits) {
        execute("ALTER SYSTEM SET synchronous_standby_names = '" + (waits ? STANDBY : "") + "'");
        execute("SELECT pg_reload_conf()");
    }

    /** Makes commits no longer wait for the standby, so that it may lack the last of them. */
    public synchronized void loosen() {
        waitForStandby(false);
    }

    /** Stops the standby with SIGSTOP, so that it falls behind. {@link #failOver} resumes it. */
    public synchronized void pauseStandby() {
        standby.pause();
    }

    /** Kills the primary, promotes the standby behind the same links, and starts a new standby. */
    public synchronized void failOver() {
        primary.kill();
        standby.resume();
        standby.promote();
        links.forEach(link -> {
            link.pointTo("127.0.0.1", standby.port());
            link.cut(Disconnect.RST);
        });
        primary.close();
        primary = standby;
        standby = primary.standby(directory.resolve("data-" + ++generation), STANDBY, FreePort.pick());
    }

    /** Ends the sessions of all clients, as an operator can. */
    public synchronized void endSessions() {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast:%'");
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + primary.port() + "/postgres?user=postgres&socketTimeout=60");
    }

    private void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "postgresql in " + directory.getFileName();
    }

    @Override
    public synchronized boolean isRunning() {
        return primary.isRunning();
    }

    @Override
    public synchronized void kill() {
        primary.kill();
    }

    @Override
    public synchronized void restart() {
        primary.restart();
    }

    @Override
    public synchronized boolean isPaused() {
        return primary.isPaused();
    }

    @Override
    public synchronized void pause() {
        primary.pause();
    }

    @Override
    public synchronized void resume() {
        primary.resume();
    }

    @Override
    public synchronized TcpProxy link() {
        TcpProxy link = TcpProxy.to("127.0.0.1", primary.port());
        links.add(link);
        return link;
    }

    @Override
    public String address(TcpProxy link) {
        return "postgresql://postgres@127.0.0.1:" + link.port() + "/postgres";
    }

    @Override
    public synchronized List<String> left() {
        List<String> left = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LEFT)) {
            while (row.next()) {
                left.add(row.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("what is left is unknown: " + e.getMessage(), e);
        }
        return left;
    }

    @Override
    public synchronized void close() {
        standby.close();
        primary.close();
    }
}
