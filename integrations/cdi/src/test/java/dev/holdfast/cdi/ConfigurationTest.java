package dev.holdfast.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseObserver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.Test;

/** The settings of an application's client, the beans that change it, and its readiness check. */
class ConfigurationTest {

    private static final Map<String, String> MEMORY = Map.of("holdfast.nodes", "memory:a,memory:b,memory:c");

    /** A bean that no annotation of Holdfast concerns. */
    @ApplicationScoped
    public static class Plain {}

    @Test
    void settingsAreSystemProperties() {
        Map<String, String> properties = Map.of(
                "holdfast.nodes", "memory:a, memory:b,memory:c",
                "holdfast.ttl", "7",
                "holdfast.linger", "100ms",
                "holdfast.client-name", "till-1");
        try (Application application = Application.start(properties, Plain.class)) {
            Holdfast holdfast = application.get(Holdfast.class);
            assertThat(holdfast.client()).startsWith("till-1~");
            assertThat(holdfast.lock("x").ttl()).isEqualTo(Duration.ofSeconds(7));
            assertThat(holdfast.lock("x").options().linger()).isEqualTo(Duration.ofMillis(100));
            assertThat(holdfast.admin().nodeNames()).hasSize(3);
        }
    }

    @Test
    void settingsAreThoseOfMicroProfileConfigIfThereIsOne() {
        ConfigProviderResolver.setInstance(new FixedConfig(
                Map.of("holdfast.nodes", "memory:a", "holdfast.ttl", "PT9S", "holdfast.client-name", "till-2")));
        try (Application application = Application.start(Map.of("holdfast.client-name", "other"), Plain.class)) {
            Holdfast holdfast = application.get(Holdfast.class);
            assertThat(holdfast.client()).startsWith("till-2~");
            assertThat(holdfast.lock("x").ttl()).isEqualTo(Duration.ofSeconds(9));
        } finally {
            ConfigProviderResolver.setInstance(null);
        }
    }

    /** A client of the application, which replaces that of the extension. */
    @Dependent
    public static class OwnClient {

        private static Holdfast last;

        @Produces
        @Singleton
        Holdfast client() {
            last = Holdfast.builder().nodes("memory:own").clientName("own").build();
            return last;
        }

        @Locked("${own.name}")
        public void run() {}
    }

    @Test
    void aClientOfTheApplicationReplacesThatOfTheExtension() {
        try (Application application = Application.start(Map.of("own.name", "x"), OwnClient.class)) {
            assertThat(application.get(Holdfast.class).client()).startsWith("own~");
            assertThat(application.get(Holdfast.class)).isSameAs(OwnClient.last);
        }
    }

    @Test
    void aStartThatFailsClosesTheClient() {
        assertThatThrownBy(() -> Application.start(Map.of("own.name", "x".repeat(10_000)), OwnClient.class))
                .hasStackTraceContaining("@Locked method ConfigurationTest$OwnClient.run() cannot be locked: ");
        assertThatThrownBy(() -> OwnClient.last.lock("x").tryAcquire()).isInstanceOf(HoldfastClosedException.class);
    }

    /** Beans that the client's creation takes into account. */
    @Dependent
    public static class Changes {

        private static final AtomicInteger ATTEMPTS = new AtomicInteger();

        @Produces
        @Dependent
        HoldfastBuilderCustomizer name() {
            return builder -> builder.clientName("changed");
        }

        @Produces
        @Dependent
        ClientObserver observer() {
            return new ClientObserver() {
                @Override
                public LeaseObserver attempt(String lock, LockMode mode) {
                    ATTEMPTS.incrementAndGet();
                    return LeaseObserver.NONE;
                }
            };
        }
    }

    @Test
    void customizersAndObserversOfTheApplicationAreUsed() throws Exception {
        try (Application application = Application.start(MEMORY, Changes.class)) {
            Holdfast holdfast = application.get(Holdfast.class);
            assertThat(holdfast.client()).startsWith("changed~");
            holdfast.lock("x").acquire().close();
            assertThat(Changes.ATTEMPTS).hasPositiveValue();
        }
    }

    @Test
    void theApplicationIsReadyWhileAMajorityVotes() {
        HealthCheckResponse.setResponseProvider(HealthAnswer::new);
        try (Application application = Application.start(MEMORY, Plain.class)) {
            HealthCheckResponse answer = application
                    .beans()
                    .select(HealthCheck.class, Readiness.Literal.INSTANCE)
                    .get()
                    .call();
            assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
            assertThat(answer.getData().orElseThrow()).containsEntry("voting", "3 of 3, 2 are needed");
        }
    }

    @Test
    void theReadinessCheckCanBeTurnedOff() {
        Map<String, String> properties = Map.of("holdfast.nodes", "memory:a", "holdfast.health.enabled", "false");
        try (Application application = Application.start(properties, Plain.class)) {
            assertThat(application.beans().select(HealthCheck.class, Any.Literal.INSTANCE))
                    .isEmpty();
        }
    }
}
