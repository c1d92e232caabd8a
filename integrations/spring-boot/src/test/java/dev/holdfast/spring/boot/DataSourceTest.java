package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.spring.LockedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Applications with a PostgreSQL data source: their locks live there, and their transactions assert their leases. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class DataSourceTest extends OnPostgres {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeAll
    static void createTheTableOfShedLock() {
        jdbc.execute("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL,"
                + " locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    }

    @Test
    void locksLiveInTheDatabaseOnConnectionsOfTheirOwn(CapturedOutput output) {
        application("spring.datasource.hikari.maximum-pool-size=1")
                .run(one -> application().run(other -> {
                    Holdfast holdfast = other.getBean(Holdfast.class);
                    assertThat(output)
                            .contains("1 node; locks do not survive its loss: postgresql://localhost:"
                                    + server.getPort() + "/postgres");
                    try (Lease lease = holdfast.lock("orders").acquire(Duration.ofSeconds(10))) {
                        assertThat(one.getBean(Holdfast.class)
                                        .lock("orders")
                                        .tryAcquire()
                                        .isHeld())
                                .isFalse();
                        assertThat(lease.fencingToken()).isPositive();
                    }
                    one.getBean(Accounts.class).write("one", () -> {});
                    assertThat(writer()).isEqualTo("one");
                    assertThat(one.getBean(HikariDataSource.class)
                                    .getHikariPoolMXBean()
                                    .getTotalConnections())
                            .isLessThanOrEqualTo(1);
                }));
    }

    @Test
    void otherNodesTakePrecedence() {
        application("holdfast.nodes=memory:listed")
                .run(context ->
                        assertThat(nodes(context.getBean(Holdfast.class))).containsExactly("memory:listed"));
        application()
                .withBean(HoldfastConnectionDetails.class, () -> () -> List.of("memory:named"))
                .run(context ->
                        assertThat(nodes(context.getBean(Holdfast.class))).containsExactly("memory:named"));
    }

    private static List<String> nodes(Holdfast holdfast) {
        return holdfast.admin().nodeNames();
    }

    @Test
    void aDatabaseOfAnotherKindEndsTheStart() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:h2:mem:test;USER=secret");
        Contexts.bare()
                .withConfiguration(AutoConfigurations.of(HoldfastDataSourceAutoConfiguration.class))
                .withBean(DataSource.class, () -> pool)
                .run(context -> assertThat(
                                Contexts.analysis(context.getStartupFailure()).getDescription())
                        .contains("the application's database is not PostgreSQL: jdbc:h2:mem:test")
                        .doesNotContain("secret"));
    }

    /** The node's clock passes the end of the lease, which its holder has not noticed, and another client acquires the lock. */
    private static void overtake() {
        jdbc.update("UPDATE holdfast.vote SET expiry = 1 WHERE resource = 'lock:account'");
        try (Holdfast other = Holdfast.connect("postgresql://postgres@localhost:" + server.getPort() + "/postgres");
                Lease lease = other.lock("account").acquire(Duration.ofSeconds(10))) {
            assertThat(lease.fencingToken()).isPositive();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHolderThatWasOvertakenCannotCommit() {
        application().run(context -> {
            Accounts accounts = context.getBean(Accounts.class);
            assertThatThrownBy(() -> accounts.write("late", DataSourceTest::overtake))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("lease of 'account' with token");
            assertThat(writer()).isEqualTo("no");
            accounts.write("in time", () -> {});
            assertThat(accounts.read()).isEqualTo("in time");
        });
    }

    /** The transaction still sees the vote that is gone. Applications repeat transactions that fail in this way. */
    @Test
    void aHolderThatWasOvertakenCannotCommitWithAnOlderSnapshotEither() {
        application().run(context -> {
            Accounts accounts = context.getBean(Accounts.class);
            assertThatThrownBy(() -> accounts.writeRepeatably("late", DataSourceTest::overtake))
                    .isInstanceOf(ConcurrencyFailureException.class);
            assertThat(writer()).isEqualTo("no");
            accounts.writeRepeatably("in time", () -> {});
            assertThat(writer()).isEqualTo("in time");
        });
    }

    /** The test above can fail: this is what it prevents. */
    @Test
    void withoutTheAssertionTheLateHolderCommits() {
        application("holdfast.locked.assert-held=false").run(context -> {
            assertThatThrownBy(() -> context.getBean(Accounts.class).write("late", DataSourceTest::overtake))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("ended before the method did");
            assertThat(writer()).isEqualTo("late");
        });
    }

    @Test
    void anAddressOfTheSameDatabaseIsRecognized() {
        application("holdfast.nodes=postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres")
                .run(context -> {
                    Accounts accounts = context.getBean(Accounts.class);
                    assertThatThrownBy(() -> accounts.write("late", DataSourceTest::overtake))
                            .isInstanceOf(LeaseLostException.class);
                    assertThat(writer()).isEqualTo("no");
                });
    }

    @Test
    void transactionsOfAnotherDatabaseAssertNothing() {
        application("holdfast.nodes=postgresql://postgres@localhost:" + server.getPort() + "/other")
                .run(context -> {
                    context.getBean(Accounts.class).write("elsewhere", () -> {});
                    assertThat(writer()).isEqualTo("elsewhere");
                });
    }

    /** Such a data source has a database for each tenant, for example, and the locks are in one of them. */
    @Test
    void aDataSourceThatRoutesIsComparedForEachOfItsDatabases() {
        AtomicReference<String> route = new AtomicReference<>("other");
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return route.get();
            }
        };
        routing.setTargetDataSources(
                Map.of("postgres", server.getPostgresDatabase(), "other", server.getDatabase("postgres", "other")));
        new JdbcTemplate(server.getDatabase("postgres", "other")).execute("CREATE TABLE account (writer text)");
        application("holdfast.nodes=postgresql://postgres@localhost:" + server.getPort() + "/postgres")
                .withBean(DataSource.class, () -> routing)
                .run(context -> {
                    Accounts accounts = context.getBean(Accounts.class);
                    for (int round = 0; round < 2; round++) {
                        route.set("other");
                        accounts.write("elsewhere", () -> {});
                        route.set("postgres");
                        assertThatThrownBy(() -> accounts.write("late", DataSourceTest::overtake))
                                .isInstanceOf(LeaseLostException.class);
                        assertThat(writer()).isEqualTo("no");
                    }
                });
    }

    @Test
    void aClientOfTheApplicationWithAnotherNodeAssertsNothing() {
        application()
                .withBean(Holdfast.class, () -> Holdfast.connect("memory:own"))
                .run(context -> {
                    context.getBean(Accounts.class).write("elsewhere", () -> {});
                    assertThat(writer()).isEqualTo("elsewhere");
                });
    }

    // ---- from ShedLock's JDBC provider

    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final ThreadLocal<Integer> RAN = new ThreadLocal<>();
    private static final AtomicInteger MOST = new AtomicInteger();

    private static void work() {
        MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
        RAN.set(RAN.get() + 1);
        jdbc.execute("SELECT pg_sleep(0.02)");
        RUNNING.decrementAndGet();
    }

    /** The job of an instance: one of the old release, one of the release between, or one of the new release. */
    interface Job {
        void run();
    }

    static class OldJob implements Job {
        @Override
        @SchedulerLock(name = "report", lockAtMostFor = "1m")
        public void run() {
            work();
        }
    }

    static class JobBetween implements Job {
        @Override
        @LockedJob(name = "report", atMost = "1m", atLeast = "1ms")
        @SchedulerLock(name = "report", lockAtMostFor = "1m")
        public void run() {
            work();
        }
    }

    static class NewJob implements Job {
        @Override
        @LockedJob(name = "report", atMost = "1m", atLeast = "1ms")
        public void run() {
            work();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "1m")
    static class ShedLock {

        @Bean
        LockProvider lockProvider(DataSource dataSource) {
            return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                    .withJdbcTemplate(new JdbcTemplate(dataSource))
                    .usingDbTime()
                    .build());
        }
    }

    @Test
    void aReleaseWithBothAnnotationsExcludesTheOldOneAndTheNewOne() {
        together(OldJob.class, JobBetween.class);
        assertThat(MOST).hasValue(1);
        together(JobBetween.class, NewJob.class);
        assertThat(MOST).hasValue(1);
    }

    /** The test above can fail: the old and the new release do not see each other. */
    @Test
    void theOldAndTheNewReleaseDoNotExcludeEachOther() {
        together(OldJob.class, NewJob.class);
        assertThat(MOST).hasValue(2);
    }

    private static void together(Class<? extends Job> first, Class<? extends Job> second) {
        MOST.set(0);
        ApplicationContextRunner one =
                application("holdfast.check-nodes-at-start=true").withUserConfiguration(ShedLock.class);
        one.withBean(first)
                .run(a -> one.withBean(second).run(b -> {
                    List<FutureTask<Integer>> instances = new ArrayList<>();
                    CyclicBarrier warm =
                            new CyclicBarrier(2); // the first run of an instance may take as long as all later ones
                    for (Job job : List.of(a.getBean(first), b.getBean(second))) {
                        instances.add(new FutureTask<>(() -> {
                            RAN.set(0);
                            runUntil(1, job);
                            warm.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                            runUntil(10, job);
                            return RAN.get();
                        }));
                    }
                    instances.forEach(instance -> new Thread(instance, "jobs-in-a-test").start());
                    for (FutureTask<Integer> instance : instances) {
                        assertThat(instance.get()).as("runs of one instance").isEqualTo(10);
                    }
                }));
    }

    /** Runs a job again and again until it was not skipped so often, or until a busy machine has had enough time for that. */
    private static void runUntil(int times, Job job) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (RAN.get() < times && System.nanoTime() < end) {
            job.run();
            jdbc.execute("SELECT pg_sleep(random() * 0.01)");
        }
    }
}
