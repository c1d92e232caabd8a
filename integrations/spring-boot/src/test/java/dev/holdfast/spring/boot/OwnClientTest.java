package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.postgresql.PostgresNode;
import dev.holdfast.spring.Locked;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Applications that name their node or change their client in code: their transactions assert their leases too. */
@Tag("slow")
class OwnClientTest {

    @TempDir
    static Path folder;

    private static EmbeddedPostgres server;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void startServer() throws Exception {
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

    private static ApplicationContextRunner application() {
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
                .withUserConfiguration(Services.class);
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
    }

    @Configuration(proxyBeanMethods = false)
    static class Services {

        @Bean
        Accounts accounts(DataSource dataSource) {
            return new Accounts(dataSource);
        }
    }

    private static String writer() {
        return jdbc.queryForObject("SELECT writer FROM account", String.class);
    }

    /** Checks that transactions assert their leases in this schema, with this key prefix. */
    private static void assertsLeases(ApplicationContextRunner application, String schema, String keyPrefix) {
        application.run(context -> {
            Accounts accounts = context.getBean(Accounts.class);
            accounts.write("in time", () -> {});
            assertThat(writer()).isEqualTo("in time");

            assertThatThrownBy(() -> accounts.write(
                            "late",
                            () -> assertThat(jdbc.update(
                                            "DELETE FROM " + schema + ".vote WHERE resource = ?",
                                            keyPrefix + "account"))
                                    .isEqualTo(1)))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(writer()).isEqualTo("in time");
        });
    }

    @Test
    void theKeyPrefixIsThatOfTheClient() {
        assertsLeases(
                application().withBean(HoldfastBuilderCustomizer.class, () -> builder -> builder.keyPrefix("mine:")),
                "holdfast",
                "mine:");
        assertsLeases(
                application()
                        .withBean(
                                Holdfast.class,
                                () -> Holdfast.builder()
                                        .keyPrefix("own:")
                                        .node(PostgresNode.of(server.getPostgresDatabase()))
                                        .connect()),
                "holdfast",
                "own:");
    }

    private static ApplicationContextRunner withNode(Function<NodeContext, LockNode> opener) {
        return application().withBean(HoldfastConnectionDetails.class, () -> new HoldfastConnectionDetails() {
            @Override
            public List<String> getNodes() {
                return List.of();
            }

            @Override
            public List<Function<NodeContext, LockNode>> getNodeOpeners() {
                return List.of(opener);
            }
        });
    }

    @Test
    void aNodeFromADataSourceIsRecognized() {
        assertsLeases(withNode(PostgresNode.of(server.getPostgresDatabase())), "holdfast", "lock:");
        assertsLeases(withNode(PostgresNode.of(server.getPostgresDatabase(), "locks")), "locks", "lock:");
    }

    @Test
    void aNodeFromTheDataSourceOfAnotherDatabaseIsRecognized() {
        withNode(PostgresNode.of(server.getDatabase("postgres", "other"))).run(context -> {
            context.getBean(Accounts.class).write("elsewhere", () -> {});
            assertThat(writer()).isEqualTo("elsewhere");
        });
        application()
                .withBean(
                        Holdfast.class,
                        () -> Holdfast.builder()
                                .node(PostgresNode.of(server.getDatabase("postgres", "other")))
                                .connect())
                .run(context -> {
                    context.getBean(Accounts.class).write("own", () -> {});
                    assertThat(writer()).isEqualTo("own");
                });
    }
}
