package dev.holdfast.spring.boot;

import dev.holdfast.lock.LockMode;
import dev.holdfast.spring.Locked;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** A test of applications whose data source is a real PostgreSQL server. */
abstract class OnPostgres {

    static EmbeddedPostgres server;
    static JdbcTemplate jdbc;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
        jdbc = new JdbcTemplate(server.getPostgresDatabase());
        jdbc.execute("CREATE TABLE account (writer text)");
        jdbc.execute("CREATE DATABASE other");
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) { // it has started
            server.close();
        }
    }

    @BeforeEach
    void empty() {
        jdbc.execute("DELETE FROM account; INSERT INTO account VALUES ('no')");
    }

    /** Returns an application as a user has it: the starter, the settings of a data source, and {@link Accounts}. */
    static ApplicationContextRunner application(String... properties) {
        return Contexts.bare()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class,
                        HoldfastDataSourceAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                        "spring.datasource.username=postgres")
                .withPropertyValues(properties)
                .withBean(Accounts.class);
    }

    static class Accounts {

        private final JdbcTemplate own;

        Accounts(DataSource dataSource) {
            this.own = new JdbcTemplate(dataSource);
        }

        /** Writes, and then pauses between its last check and its commit. */
        @Locked(name = "account")
        @Transactional
        public void write(String writer, Runnable pause) {
            own.update("UPDATE account SET writer = ?", writer);
            pause.run();
        }

        @Locked(name = "account")
        @Transactional(isolation = Isolation.REPEATABLE_READ)
        public void writeRepeatably(String writer, Runnable pause) {
            write(writer, pause);
        }

        @Locked(name = "account", mode = LockMode.PR)
        @Transactional(readOnly = true)
        public String read() {
            return own.queryForObject("SELECT writer FROM account", String.class);
        }
    }

    static String writer() {
        return jdbc.queryForObject("SELECT writer FROM account", String.class);
    }
}
