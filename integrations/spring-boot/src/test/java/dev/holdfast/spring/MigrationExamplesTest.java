package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastMethodAutoConfiguration;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** The Spring examples of docs/guides/migrating.md, between the marks. They run, and do what the page says. */
class MigrationExamplesTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastMethodAutoConfiguration.class,
                    AopAutoConfiguration.class,
                    PropertyPlaceholderAutoConfiguration.class))
            .withPropertyValues("holdfast.nodes=memory:");

    static class Reports {

        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        /** Returns the tokens. This is a method because the bean is behind a proxy, which has fields of its own. */
        public List<Long> tokens() {
            return tokens;
        }

        // recipe:begin
        @Scheduled(fixedRateString = "${reports.every}")
        @LockedJob(name = "report", atMost = "10m", atLeast = "1m", ttl = "10s")
        public void report() {
            write(Holdfast.currentLease().map(Lease::fencingToken).orElseThrow());
        }
        // recipe:end

        private void write(long token) {
            tokens.add(token);
        }
    }

    /** The release with both annotations, which {@code DataSourceTest} runs beside the old and the new one. */
    static class ReportsOfBoth {

        // recipe:begin
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "report", atMost = "10m")
        @SchedulerLock(name = "report", lockAtMostFor = "10m")
        public void report() {
            write();
        }
        // recipe:end

        private void write() {}
    }

    @Configuration
    @EnableScheduling
    static class Application {

        @Bean
        Reports reports() {
            return new Reports();
        }

        // recipe:begin
        @Bean
        HoldfastLockRegistry locks(Holdfast holdfast) { // was: new RedisLockRegistry(connectionFactory, "shop", 60_000)
            return new HoldfastLockRegistry(holdfast, "shop", Duration.ofSeconds(60));
        }
        // recipe:end
    }

    @Test
    void aScheduledMethodRunsOnceInItsTime() {
        application
                .withUserConfiguration(Application.class)
                .withPropertyValues("reports.every=50ms")
                .run(context -> {
                    Reports reports = context.getBean(Reports.class);
                    await().atMost(SOON).until(() -> !reports.tokens().isEmpty());

                    assertThat(context.getBean(Holdfast.class)
                                    .lock("report")
                                    .tryAcquire()
                                    .isHeld())
                            .as("stays locked though it has run")
                            .isFalse();
                    assertThat(reports.tokens()).hasSize(1);
                });
    }

    @Test
    void aRegistryGivesLocksAsBefore() {
        application
                .withUserConfiguration(Application.class)
                .withPropertyValues("reports.every=1h")
                .run(context -> {
                    Lock lock = context.getBean(HoldfastLockRegistry.class).obtain("orders");
                    lock.lock();
                    assertThat(context.getBean(Holdfast.class)
                                    .lock("shop:orders")
                                    .tryAcquire()
                                    .isHeld())
                            .isFalse();
                    lock.unlock();
                });
    }
}
