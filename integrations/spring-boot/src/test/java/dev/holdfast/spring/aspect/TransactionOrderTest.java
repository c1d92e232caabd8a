package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.OnLost;
import dev.holdfast.spring.boot.Contexts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction commits before its lock is released: counted on a real PostgreSQL, by two applications. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class TransactionOrderTest {

    private static final int THREADS = 3;
    private static final int TIMES = 40;
    private static final int ALL = 2 * THREADS * TIMES;

    @TempDir
    static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws Exception {
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .setServerConfig("fsync", "off")
                .start();
        new JdbcTemplate(server.getPostgresDatabase()).execute("CREATE TABLE counter (id int PRIMARY KEY, value int)");
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) { // it has started
            server.close();
        }
    }

    static class Counter {

        private final JdbcTemplate jdbc;

        Counter(DataSource dataSource) {
            this.jdbc = new JdbcTemplate(dataSource);
        }

        /** Reads a number and writes the next one. That is safe only under a lock, and only if the next holder reads the committed number. */
        @Locked("counter")
        @Transactional
        public void increment() {
            Integer value = jdbc.queryForObject("SELECT value FROM counter", Integer.class);
            jdbc.update("UPDATE counter SET value = ?", value + 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean
        DataSource dataSource() {
            return server.getPostgresDatabase();
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Counter counter(DataSource dataSource) {
            return new Counter(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Usual {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TurnedRound {}

    /** Lets two applications with this order count as fast as they can, and returns the result. */
    private static int count(Class<?> order, String... properties) {
        new JdbcTemplate(server.getPostgresDatabase())
                .execute("DELETE FROM counter; INSERT INTO counter VALUES (1, 0)");
        application(
                order,
                properties,
                one -> application(order, properties, other -> {
                    List<FutureTask<Void>> tasks = new ArrayList<>();
                    for (int thread = 0; thread < 2 * THREADS; thread++) {
                        Counter counter = (thread % 2 == 0 ? one : other).getBean(Counter.class);
                        tasks.add(inThread(() -> {
                            for (int i = 0; i < TIMES; i++) {
                                counter.increment();
                            }
                            return null;
                        }));
                    }
                    for (FutureTask<Void> task : tasks) {
                        task.get();
                    }
                }));
        return new JdbcTemplate(server.getPostgresDatabase())
                .queryForObject("SELECT value FROM counter", Integer.class);
    }

    /** A step that uses an application. */
    private interface Use {
        void with(AssertableApplicationContext context) throws Throwable;
    }

    private static void application(Class<?> order, String[] properties, Use use) {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=memory:transactions")
                .withPropertyValues(properties)
                .withUserConfiguration(Database.class, order)
                .run(use::with);
    }

    private static FutureTask<Void> inThread(Callable<Void> work) {
        FutureTask<Void> task = new FutureTask<>(work);
        new Thread(task, "counting-in-a-test").start();
        return task;
    }

    @Test
    void theTransactionCommitsBeforeItsLockIsReleased(CapturedOutput output) {
        assertThat(count(Usual.class)).isEqualTo(ALL);
        assertThat(output)
                .doesNotContain("before it acquires its lock")
                .doesNotContain("is called within a transaction");
    }

    /** The test above can fail: with the order turned round, updates are lost, and the log of the start says so. */
    @Test
    void turnedRoundItLosesUpdatesAndSaysSo(CapturedOutput output) {
        assertThat(count(TurnedRound.class)).isLessThan(ALL);
        assertThat(output)
                .contains(
                        "@Locked method Counter.increment() begins its transaction (order 0) before it acquires its lock (order 2147482647)");
    }

    @Test
    void theOrderMayBeSetSoThatItIsRightAgain(CapturedOutput output) {
        assertThat(count(TurnedRound.class, "holdfast.locked.order=-1")).isEqualTo(ALL);
        assertThat(output).doesNotContain("before it acquires its lock");
    }

    static class Loser {

        private final JdbcTemplate jdbc;
        private final Holdfast holdfast;

        Loser(DataSource dataSource, Holdfast holdfast) {
            this.jdbc = new JdbcTemplate(dataSource);
            this.holdfast = holdfast;
        }

        @Locked(name = "lost", ttl = "100ms", onLost = OnLost.FAIL)
        @Transactional
        public void increment() {
            jdbc.update("UPDATE counter SET value = value + 1");
            lose();
        }

        @Locked(name = "lost", ttl = "100ms", onLost = OnLost.IGNORE)
        @Transactional
        public void incrementAllTheSame() {
            jdbc.update("UPDATE counter SET value = value + 10");
            lose();
        }

        @Locked(name = "lost", ttl = "100ms", onLost = OnLost.FAIL)
        @Transactional
        public CompletableFuture<String> incrementInAStage() {
            jdbc.update("UPDATE counter SET value = value + 100");
            lose();
            return CompletableFuture.completedFuture("done");
        }

        private void lose() {
            Lease lease = Holdfast.currentLease().orElseThrow();
            try {
                holdfast.admin().breakLease(lease.name(), lease.fencingToken(), "in a test");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            await().until(() -> !lease.isHeld());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BootsTransactions {

        @Bean
        DataSource dataSource() {
            return server.getPostgresDatabase();
        }

        @Bean
        Loser loser(DataSource dataSource, Holdfast holdfast) {
            return new Loser(dataSource, holdfast);
        }
    }

    @Test
    void whatWasDoneUnderALostLockIsNotCommitted() {
        new JdbcTemplate(server.getPostgresDatabase())
                .execute("DELETE FROM counter; INSERT INTO counter VALUES (1, 0)");
        Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class))
                .withUserConfiguration(BootsTransactions.class)
                .run(context -> {
                    Loser loser = context.getBean(Loser.class);
                    assertThatThrownBy(loser::increment).isInstanceOf(LeaseLostException.class);
                    assertThatThrownBy(loser::incrementInAStage).isInstanceOf(LeaseLostException.class);
                    loser.incrementAllTheSame();
                });
        assertThat(new JdbcTemplate(server.getPostgresDatabase())
                        .queryForObject("SELECT value FROM counter", Integer.class))
                .isEqualTo(10);
    }

    static class Independent {

        private final List<String> calls = new ArrayList<>();

        @Locked("own")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void inItsOwn() {
            calls.add("own");
        }

        @Locked("none")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void inNone() {
            calls.add("none");
        }

        @Locked("later")
        @TransactionalEventListener
        public void afterTheCommit(String event) {
            calls.add(event);
        }
    }

    @Test
    void aCallWhoseWorkIsNotPartOfATransactionOfItsCallerIsNotToldOf(CapturedOutput output) {
        Contexts.inMemory()
                .withUserConfiguration(Database.class, Usual.class)
                .withBean(Independent.class)
                .run(context -> {
                    Independent independent = context.getBean(Independent.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                independent.inItsOwn();
                                independent.inNone();
                                context.publishEvent("committed");
                            });
                    assertThat(((Independent) AopTestUtils.getTargetObject(independent)).calls)
                            .containsExactly("own", "none", "committed");
                });
        assertThat(output).doesNotContain("is called within a transaction");
    }

    static class Nested {

        @Locked("nested")
        @Transactional
        public String outer(Nested proxy) {
            return proxy.inner();
        }

        @Locked(name = "nested", reentrant = true)
        public String inner() {
            return "ran";
        }
    }

    @Test
    void aTransactionUnderTheLeaseOfAnOuterCallIsNotToldOf(CapturedOutput output) {
        Contexts.inMemory()
                .withUserConfiguration(Database.class, Usual.class)
                .withBean(Nested.class)
                .run(context -> {
                    Nested nested = context.getBean(Nested.class);
                    assertThat(nested.outer(nested)).isEqualTo("ran");
                });
        assertThat(output).doesNotContain("is called within a transaction");
    }

    @Test
    void aTransactionOfTheCallerIsToldOfOnce(CapturedOutput output) {
        new JdbcTemplate(server.getPostgresDatabase())
                .execute("DELETE FROM counter; INSERT INTO counter VALUES (1, 0)");
        application(Usual.class, new String[0], context -> {
            TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            outer.executeWithoutResult(status -> context.getBean(Counter.class).increment());
            outer.executeWithoutResult(status -> context.getBean(Counter.class).increment());
        });
        assertThat(output.toString().split("Counter.increment\\(\\) is called within a transaction", -1))
                .hasSize(2);
    }
}
