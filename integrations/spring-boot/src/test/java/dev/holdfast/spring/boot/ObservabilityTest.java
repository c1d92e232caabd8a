package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.micrometer.HoldfastMetrics;
import dev.holdfast.micrometer.HoldfastObservations;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.spring.LeaderOnly;
import dev.holdfast.spring.LockGroups;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.actuate.HoldfastEndpoint;
import dev.holdfast.spring.actuate.HoldfastHealthIndicator;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

/** The endpoints and metrics of an application with an actuator. */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class ObservabilityTest {

    private static ApplicationContextRunner withActuator() {
        return Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        HoldfastMetricsAutoConfiguration.class,
                        HoldfastActuatorAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=holdfast");
    }

    private static Lease acquire(ApplicationContext context, String name) throws InterruptedException {
        return context.getBean(Holdfast.class).lock(name).acquire(Duration.ofSeconds(5));
    }

    private static double held(ApplicationContext context) {
        return context.getBean(MeterRegistry.class)
                .get("holdfast.lock.held")
                .gauge()
                .value();
    }

    @Test
    void metricsAreThereAndCount() {
        withActuator().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            try (Lease lease = acquire(context, "orders:42")) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(held(context)).isEqualTo(1);
            }
            assertThat(registry.get("holdfast.lock.acquire")
                            .tags("outcome", "acquired", "mode", "EX")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("holdfast.lock.lost").counters()).hasSize(Loss.Reason.values().length);
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            registry.get("holdfast.quorum.available").gauge().value() == 1);
            assertThat(context).doesNotHaveBean(HoldfastObservations.class);
        });
    }

    @Test
    void groupsOfABean() {
        withActuator()
                .withBean(LockGroups.class, () -> lock -> lock.substring(0, lock.indexOf(':')))
                .run(context -> {
                    acquire(context, "orders:42");

                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("holdfast.lock.held")
                                    .tag("group", "orders")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                });
    }

    @Test
    void everyObserverIsTold() {
        List<String> told = new CopyOnWriteArrayList<>();
        ClientObserver mine = new ClientObserver() {
            @Override
            public LeaseObserver attempt(String lock, LockMode mode) {
                told.add(lock);
                return LeaseObserver.NONE;
            }
        };
        withActuator().withBean("mine", ClientObserver.class, () -> mine).run(context -> {
            acquire(context, "x");

            assertThat(told).containsExactly("x");
            assertThat(held(context)).isEqualTo(1);
        });
    }

    @Test
    void spansWhereThereIsATracer() {
        withActuator().withBean(Tracer.class, () -> Tracer.NOOP).run(context -> {
            assertThat(context).hasSingleBean(HoldfastObservations.class);
            acquire(context, "x").close();
            assertThat(context.getBean(MeterRegistry.class)
                            .get("holdfast.wait")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void allOfItCanBeLeftOut() {
        withActuator()
                .withPropertyValues(
                        "holdfast.metrics.enabled=false",
                        "management.health.holdfast.enabled=false",
                        "management.endpoint.holdfast.access=NONE")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context)
                            .doesNotHaveBean(HoldfastMetrics.class)
                            .doesNotHaveBean(HoldfastHealthIndicator.class)
                            .doesNotHaveBean(HoldfastEndpoint.class);
                });
        withActuator()
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.actuate"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).hasSingleBean(Holdfast.class).doesNotHaveBean("holdfastMetrics");
                });
    }

    static class Orders {

        @Locked(name = "orders", key = "#id", onBusy = OnBusy.SKIP)
        public @Nullable String ship(String id) {
            return "shipped";
        }

        @Locked(name = "orders:returns", onBusy = OnBusy.SKIP)
        public Mono<String> returns() {
            return Mono.just("returned");
        }

        @LeaderOnly("reports")
        public @Nullable Long term() {
            return Holdfast.currentLease().orElseThrow().fencingToken();
        }
    }

    private static double skipped(ApplicationContext context, String annotation, String name) {
        return context.getBean(MeterRegistry.class)
                .get("holdfast.spring.skipped")
                .tags("annotation", annotation, "name", name)
                .counter()
                .count();
    }

    @Test
    void e25_skippedCallsAreCounted() {
        withActuator().withBean(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            acquire(context, "orders:7");
            acquire(context, "orders:returns");

            orders.ship("7");
            orders.ship("8");
            assertThat(orders.returns().blockOptional()).isEmpty();

            assertThat(skipped(context, "Locked", "orders")).isEqualTo(1);
            assertThat(skipped(context, "Locked", "orders:returns")).isEqualTo(1);
        });
    }

    @Test
    void e25_theGroupIsTheNameInTheAnnotation() {
        withActuator().withBean(Orders.class).run(context -> {
            context.getBean(Orders.class).ship("7");
            context.getBean(Orders.class).returns().block();
            acquire(context, "more:7");

            for (String group : List.of("orders", "orders:returns", "other")) {
                assertThat(context.getBean(MeterRegistry.class)
                                .get("holdfast.lock.acquire")
                                .tags("group", group, "outcome", "acquired", "mode", "EX")
                                .timer()
                                .count())
                        .as(group)
                        .isEqualTo(1);
            }
        });
    }

    @Test
    void e25_oneLineAtTheStartNamesNodesMajorityAndMode(CapturedOutput output) {
        withActuator()
                .withPropertyValues(
                        "holdfast.client-name=shop", "holdfast.nodes=memory:a,memory:b,redis://user:secret@localhost:1")
                .run(context -> assertThat(output)
                        .containsOnlyOnce(
                                "locks on 3 nodes, of which 2 are a majority; locks survive the loss of 1: memory:a, memory:b, redis://localhost:1")
                        .contains("Client shop")
                        .doesNotContain("secret"));
        withActuator()
                .run(context ->
                        assertThat(output).containsOnlyOnce("locks on 1 node; locks do not survive its loss: memory:"));
    }

    private static void awaitLeads(ApplicationContext context) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> context.getBean(Orders.class).term() != null);
    }

    @Test
    void e25_aCandidateThatStandsByIsNotWaiting() {
        ApplicationContextRunner application = withActuator()
                .withPropertyValues("holdfast.nodes=memory:standby")
                .withBean(Orders.class);
        application.run(leader -> {
            awaitLeads(leader);
            assertThat(held(leader)).isEqualTo(1);
            application.run(other -> {
                Holdfast holdfast = other.getBean(Holdfast.class);
                await().atMost(Duration.ofSeconds(30))
                        .until(() ->
                                holdfast.admin().status("reports").waiters().size() == 1);
                assertThat(other.getBean(Orders.class).term()).isNull();
                assertThat(skipped(other, "LeaderOnly", "reports")).isEqualTo(1);
                assertThat(other.getBean(HoldfastEndpoint.class).locks().waitingCount())
                        .isZero();
                assertThat(other.getBean(MeterRegistry.class)
                                .get("holdfast.lock.waiting")
                                .gauge()
                                .value())
                        .isZero();
            });
            assertThat(leader.getBean(HoldfastEndpoint.class).locks().held()).hasSize(1);
        });
    }

    private static void awaitOneLostLeadership(ApplicationContext context, CapturedOutput output) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(health(context).getDetails()).containsEntry("lost", 1L));
        assertThat(health(context).getDetails().get("lastLost").toString()).contains("'reports' with token ");
        assertThat(context.getBean(MeterRegistry.class).get("holdfast.lock.lost").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum())
                .isEqualTo(1);
        await().atMost(Duration.ofSeconds(30)) // another thread writes it
                .untilAsserted(() -> assertThat(output).contains("Lost the leadership of 'reports', term "));
        assertThat(output).containsOnlyOnce("Lost the leadership of 'reports', term ");
    }

    @Test
    void e25_aLeaderThatLosesItsMajorityIsInTheLogTheCounterAndTheHealth(CapturedOutput output) {
        try (RedisProcesses servers = RedisProcesses.start(1)) {
            withActuator()
                    .withPropertyValues("holdfast.nodes=" + servers.uris().get(0), "holdfast.ttl=2s")
                    .withBean(Orders.class)
                    .run(context -> {
                        awaitLeads(context);
                        servers.node(0).kill();
                        awaitOneLostLeadership(context, output);
                        assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                        await().atMost(Duration.ofSeconds(10))
                                .until(() -> context.getBean(MeterRegistry.class)
                                                .get("holdfast.node.up")
                                                .gauge()
                                                .value()
                                        == 0);
                    });
        }
    }

    @Test
    void aLeaderWhoseLeaseIsBrokenIsCountedOnce(CapturedOutput output) {
        withActuator()
                .withPropertyValues("holdfast.ttl=2s")
                .withBean(Orders.class)
                .run(context -> {
                    awaitLeads(context);
                    long term = context.getBean(Orders.class).term();
                    context.getBean(Holdfast.class).admin().breakLease("reports", term, "in a test");
                    awaitOneLostLeadership(context, output);
                });
    }

    // ---- health

    private static Health health(ApplicationContext context) {
        return context.getBean(HoldfastHealthIndicator.class).health(true);
    }

    @Test
    void healthIsUpWhileAMajorityVotes() {
        withActuator()
                .withPropertyValues("holdfast.nodes=memory:a,memory:b,redis://localhost:1")
                .run(context -> {
                    Health health = health(context);

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("voting", "2 of 3, 2 are needed")
                            .containsEntry("lost", 0L);
                    assertThat(health.getDetails().get("nodes").toString())
                            .contains("redis://localhost:1=DOWN: ")
                            .contains("=UP");
                });
    }

    @Test
    void healthIsDownWithoutAMajority() {
        withActuator()
                .withPropertyValues("holdfast.nodes=memory:a,redis://localhost:1,redis://localhost:2")
                .run(context -> {
                    assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health(context).getDetails()).containsEntry("voting", "1 of 3, 2 are needed");
                });
    }

    /** Restarting the application makes no node answer, so liveness does not depend on nodes. Neither does readiness, unless a user adds the indicator. */
    @Test
    void nodesThatAreGoneAreNoReasonToRestart() {
        withActuator()
                .withConfiguration(AutoConfigurations.of(
                        ApplicationAvailabilityAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthContributorRegistryAutoConfiguration.class,
                        AvailabilityHealthContributorAutoConfiguration.class,
                        AvailabilityProbesAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "holdfast.nodes=redis://localhost:1,redis://localhost:2,redis://localhost:3",
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.show-components=always",
                        "management.endpoints.web.exposure.include=health,holdfast")
                .run(context -> {
                    AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);

                    assertThat(endpoint.health().getStatus()).isEqualTo(Status.DOWN);
                    assertThat(endpoint.healthForPath("holdfast").getStatus()).isEqualTo(Status.DOWN);
                    assertThat(endpoint.healthForPath("liveness").getStatus()).isEqualTo(Status.UP);
                    assertThat(endpoint.healthForPath("readiness").getStatus()).isEqualTo(Status.UP);
                });
    }

    // ---- a loss is seen everywhere

    /** The log of a class, in any format. */
    private static final class Logged extends Handler implements AutoCloseable {

        final List<String> messages = new CopyOnWriteArrayList<>();
        private final Logger logger;

        Logged(String name) {
            logger = Logger.getLogger(name);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            messages.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    @Test
    void aLostLeaseIsInTheCounterTheLogTheRecordingTheHealthAndTheEndpoint(@TempDir Path directory) {
        withActuator().run(context -> {
            try (Recording recording = new Recording();
                    Logged logged = new Logged("dev.holdfast.internal.lease.QuorumLease")) {
                recording.enable("dev.holdfast.LockLoss");
                recording.start();
                Holdfast holdfast = context.getBean(Holdfast.class);
                Lease lease = acquire(context, "orders:42");
                long token = lease.fencingToken();
                assertThat(holdfast.admin()
                                .breakLease("orders:42", token, "a test")
                                .outcome())
                        .isEqualTo(BreakOutcome.BROKEN);
                assertThat(lease.extend(Duration.ofSeconds(30))).isEqualTo(ExtendOutcome.LOST);
                assertThat(lease.isHeld()).isFalse();
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> context.getBean(MeterRegistry.class)
                                        .get("holdfast.lock.lost")
                                        .tag("reason", "released")
                                        .counter()
                                        .count()
                                == 1);

                await().atMost(Duration.ofSeconds(10))
                        .until(() -> logged.messages.stream()
                                .anyMatch(message -> message.startsWith("WARNING lease of 'orders:42' lost")));
                assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                assertThat(health(context).getDetails()).containsEntry("lost", 1L);
                assertThat(health(context).getDetails().get("lastLost").toString())
                        .contains("'orders:42' with token " + token)
                        .contains("RELEASED");
                assertThat(context.getBean(HoldfastEndpoint.class).locks().lost())
                        .singleElement()
                        .satisfies(lost -> assertThat(lost.token()).isEqualTo(token));
                Path file = directory.resolve("loss.jfr");
                recording.dump(file);
                assertThat(RecordingFile.readAllEvents(file))
                        .anyMatch(event -> event.getEventType().getName().equals("dev.holdfast.LockLoss")
                                && event.getLong("token") == token);
            }
        });
    }

    // ---- the endpoint

    @Test
    void theEndpointShowsWhatIsHeldAndWhoWaits() {
        withActuator().run(context -> {
            Holdfast holdfast = context.getBean(Holdfast.class);
            HoldfastEndpoint endpoint = context.getBean(HoldfastEndpoint.class);
            Lease lease = acquire(context, "orders:42/7");
            CompletableFuture<Lease> waiting = holdfast.lock("orders:42/7")
                    .shared()
                    .acquireAsync(Duration.ofSeconds(60))
                    .toCompletableFuture();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> endpoint.lock("orders:42", "7").waiters().size() == 1);

            HoldfastEndpoint.Locks locks = endpoint.locks();
            assertThat(locks.client()).isEqualTo(holdfast.client());
            assertThat(locks.held()).singleElement().satisfies(held -> {
                assertThat(held.lock()).isEqualTo("orders:42/7");
                assertThat(held.token()).isEqualTo(lease.fencingToken());
                assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
                assertThat(held.remainingMillis()).isBetween(1L, 30_000L);
            });
            assertThat(locks.waiting())
                    .singleElement()
                    .satisfies(waits -> assertThat(waits.mode()).isEqualTo(LockMode.PR));
            HoldfastEndpoint.Lock lock = endpoint.lock("orders:42", "7");
            assertThat(lock.certain()).isTrue();
            assertThat(lock.holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.token()).isEqualTo(lease.fencingToken()));

            lease.close();
            waiting.get().close();
            assertThat(endpoint.locks().heldCount()).isZero();
            assertThat(endpoint.locks().waitingCount()).isZero();
        });
    }
}
