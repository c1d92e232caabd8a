package dev.holdfast.fence;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Guards in a real PostgreSQL, at its default isolation READ COMMITTED. */
@Tag("slow")
class PostgresGuardTest extends JdbcGuardContract {

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws Exception {
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) { // it has started
            server.close();
        }
    }

    @Override
    SqlDialect dialect() {
        return SqlDialect.POSTGRESQL;
    }

    @Override
    Connection open() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    @Override
    String countingKey() {
        return "bigserial PRIMARY KEY";
    }
}
