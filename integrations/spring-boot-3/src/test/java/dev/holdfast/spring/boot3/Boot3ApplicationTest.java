package dev.holdfast.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.redis.process.RedisCluster;
import dev.holdfast.redis.process.SentinelSet;
import dev.holdfast.spring.Locked;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applications on Spring Boot 3.5, with its Lettuce and its Netty: the nodes are what the application has already, sentinels, a cluster or a data source. Each
 * application has the actuator's web endpoints.
 */
@Tag("slow")
class Boot3ApplicationTest {

    private static final String WITHOUT = "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.";
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** The application, which has no setting of Holdfast. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        static Orders orders() {
            return new Orders();
        }
    }

    static class Orders {

        @Locked(name = "orders", key = "#id")
        public String ship(String id) {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    /** The application's table. */
    @Configuration(proxyBeanMethods = false)
    static class Tables {

        @Bean
        Accounts accounts(JdbcTemplate jdbc) {
            return new Accounts(jdbc);
        }
    }

    static class Accounts {

        private final JdbcTemplate jdbc;

        Accounts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Locked("account")
        @Transactional
        public void write(String writer, Runnable pause) {
            jdbc.update("UPDATE account SET writer = ?", writer);
            pause.run();
        }
    }

    private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
        SpringApplication application = new SpringApplication(Shop.class, source);
        return application.run(Stream.concat(
                        Stream.of(
                                "server.port=0",
                                "server.address=localhost",
                                "spring.main.banner-mode=off",
                                "management.endpoints.web.exposure.include=*",
                                "management.endpoint.health.show-details=always"),
                        Arrays.stream(properties))
                .map("--"::concat)
                .toArray(String[]::new));
    }

    /** Answers of the actuator, with their status before them. */
    private static String get(ConfigurableApplicationContext application, String path) {
        URI uri = URI.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port")
                + "/actuator/" + path);
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).timeout(SOON).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(uri + " gives no answer", e);
        }
    }

    private static void locks(ConfigurableApplicationContext application, String node) {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(application.getBean(Orders.class).ship("7")).isEqualTo("orders:7");
        assertThat(application.getBean(LockRegistry.class)).isInstanceOf(Boot3LockRegistry.class);
        assertThat(get(application, "health/holdfast")).startsWith("200 ").contains("\"status\":\"UP\"", node);
        assertThat(get(application, "metrics/holdfast.lock.acquire?tag=group:orders&tag=outcome:acquired"))
                .startsWith("200 ")
                .contains("{\"statistic\":\"COUNT\",\"value\":1.0}");
        try (Lease lease = application.getBean(Holdfast.class).lock("seen").acquire(Duration.ofSeconds(10))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(get(application, "holdfast")).startsWith("200 ").contains("\"seen\"");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void e25_theMasterOfTheApplicationsSentinelsIsTheNode() {
        try (SentinelSet sentinels = SentinelSet.start()) {
            String hosts = URI.create(sentinels.uri()).getRawAuthority();
            try (ConfigurableApplicationContext application = start(
                    Shop.class,
                    "spring.data.redis.sentinel.master=" + SentinelSet.MASTER,
                    "spring.data.redis.sentinel.nodes=" + hosts,
                    WITHOUT + "jdbc.DataSourceAutoConfiguration")) {
                locks(application, "redis-sentinel://");
                sentinels.primary().kill();
                sentinels.replica().kill();
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(get(application, "health/holdfast"))
                                .startsWith("503 ")
                                .contains("\"status\":\"DOWN\""));
            }
        }
    }

    @Test
    void e25_theApplicationsClusterIsTheNode() {
        try (RedisCluster cluster = RedisCluster.start()) {
            String hosts = URI.create(cluster.uri()).getRawAuthority();
            try (ConfigurableApplicationContext application = start(
                    Shop.class,
                    "spring.data.redis.cluster.nodes=" + hosts,
                    WITHOUT + "jdbc.DataSourceAutoConfiguration")) {
                locks(application, "redis-cluster://");
            }
        }
    }

    /** The node's clock passes the end of the lease, which its holder has not noticed, and another client acquires the lock. */
    private static void overtake(ConfigurableApplicationContext application, JdbcTemplate jdbc) {
        jdbc.update("UPDATE holdfast.vote SET expiry = 1 WHERE resource = 'lock:account'");
        String address = application.getEnvironment().getProperty("spring.datasource.url");
        try (Holdfast other = Holdfast.connect(address.replace("jdbc:postgresql://", "postgresql://postgres@"));
                Lease lease = other.lock("account").acquire(Duration.ofSeconds(10))) {
            assertThat(lease.fencingToken()).isPositive();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void e25_theApplicationsDatabaseIsTheNodeAndAnOvertakenHolderCannotCommit() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            JdbcTemplate jdbc = new JdbcTemplate(server.getPostgresDatabase());
            jdbc.execute("CREATE TABLE account (writer text); INSERT INTO account VALUES ('no')");
            try (ConfigurableApplicationContext application = start(
                    Tables.class,
                    "spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                    "spring.datasource.username=postgres",
                    WITHOUT + "data.redis.RedisAutoConfiguration")) {
                locks(application, "postgresql://");
                Accounts accounts = application.getBean(Accounts.class);
                accounts.write("first", () -> {});
                assertThatThrownBy(() -> accounts.write("overtaken", () -> overtake(application, jdbc)))
                        .isInstanceOf(LeaseLostException.class);
                assertThat(jdbc.queryForObject("SELECT writer FROM account", String.class))
                        .isEqualTo("first");
            }
        }
    }
}
