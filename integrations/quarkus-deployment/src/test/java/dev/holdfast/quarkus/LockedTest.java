package dev.holdfast.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.SelfDeadlockException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of locked methods in an application, which has a client, a health check and metrics. */
@Tag("slow")
class LockedTest {

    private static final Shop.Order ORDER = new Shop.Order("7", new Shop.Customer("Ada", LocalDate.of(1815, 12, 10)));

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Shop.class, Handlers.class)
                    .addClasses(Handlers.Handler.class, Handlers.Orders.class, Handlers.Numbers.class))
            .overrideConfigKey("quarkus.holdfast.nodes", "memory:quarkus-1,memory:quarkus-2,memory:quarkus-3")
            .overrideConfigKey("quarkus.holdfast.ttl", "5")
            .overrideConfigKey("quarkus.application.name", "shop")
            .overrideConfigKey("quarkus.http.test-port", "0")
            .overrideConfigKey("shop.lock", "from-config");

    @Inject
    Shop shop;

    @Inject
    Handlers.Orders orders;

    @Inject
    Handlers.Numbers numbers;

    @Inject
    Holdfast holdfast;

    @Inject
    MeterRegistry meters;

    @Inject
    @Any
    Instance<HealthCheck> checks;

    @Inject
    Vertx vertx;

    @Test
    void theClientHasTheSettingsOfTheApplication() {
        assertThat(holdfast.client()).startsWith("shop@");
        assertThat(holdfast.lock("x").ttl()).isEqualTo(Duration.ofSeconds(5));
        assertThat(holdfast.admin().nodeNames()).hasSize(3);
    }

    @Test
    void aCallHoldsItsLock() {
        assertThat(shop.stock()).isTrue();
        assertThat(shop.isTaken("stock")).isFalse();
        assertThat(shop.expression()).isTrue();
    }

    @Test
    void keysHaveTheTextOfValues() {
        assertThat(shop.ship(ORDER)).containsExactly(true, false);
        assertThat(shop.customer(ORDER)).isTrue();
        assertThat(shop.several("a:b", ORDER)).isTrue();
        assertThat(shop.parcel(new Shop.Parcel("p1"))).isTrue();
        assertThat(shop.any(42)).isTrue();
    }

    @Test
    void theMethodsOfGenericInterfacesAreLocked() {
        Handlers.Handler<Shop.Order, String> handler = orders;
        assertThat(handler.handle(ORDER)).isEqualTo("handled:7");
        assertThat(orders.handle(ORDER)).isEqualTo("handled:7");
        Supplier<String> supplier = numbers;
        assertThat(supplier.get()).isEqualTo("numbers");
    }

    @Test
    void keysWithoutADefinedTextAreRefused() {
        assertThatThrownBy(() -> shop.any(new Object()))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining(
                        "@Locked method Shop.any(Object) has the key 'any', which is of java.lang.Object");
        assertThatThrownBy(() -> shop.ship(new Shop.Order(null, null)))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("has the key 'order.id', which is null for this call");
        assertThatThrownBy(() -> shop.ship(new Shop.Order("", null)))
                .hasMessageContaining("which is empty for this call");
    }

    @Test
    void theLeaseIsPassedToItsParameter() {
        List<Long> tokens = shop.token(null);
        assertThat(tokens.get(0)).isPositive().isEqualTo(tokens.get(1));
    }

    @Test
    void aBusyLockSkipsFailsOrLetsWait() throws Exception {
        try (Lease other = holdfast.lock("busy").localHandOver(false).acquire()) {
            assertThat(shop.skip()).isNull();
            assertThat(shop.skipOptional()).isEmpty();
            assertThat(shop.skipUni().await().atMost(Duration.ofSeconds(10))).isNull();
            assertThatThrownBy(shop::fail).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(shop::waitALittle).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(shop.skip()).isEqualTo("ran");
        assertThat(shop.skipOptional()).isEqualTo(Optional.of("ran"));
        assertThat(meters.get("holdfast.quarkus.skipped")
                        .tag("name", "busy")
                        .counter()
                        .count())
                .isEqualTo(3);
        try (Lease reader = holdfast.lock("busy").shared().localHandOver(false).acquire()) {
            assertThat(shop.read()).isEqualTo("read");
        }
    }

    @Test
    void aCallFromWithinItsOwnLockFailsUnlessItIsReentrant() {
        assertThatThrownBy(() -> shop.outer("1"))
                .isInstanceOf(SelfDeadlockException.class)
                .hasMessageContaining("@Locked method Shop.inner(String) cannot acquire its lock");
        assertThat(shop.outerOfReentrant("1")).isEqualTo("ran");
        assertThat(shop.isTaken("nested:1")).isFalse();
    }

    @Test
    void aCallThatHoldsTooLongIsInterrupted() {
        assertThatThrownBy(shop::tooLong).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aStageHoldsTheLockUntilItCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = shop.stage(work).toCompletableFuture();
        assertThat(shop.isTaken("stage")).isTrue();
        work.complete("done");
        assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
        await().until(() -> !shop.isTaken("stage"));
    }

    @Test
    void aUniHoldsTheLockFromItsSubscriptionToItsEnd() {
        CompletableFuture<String> work = new CompletableFuture<>();
        Uni<String> uni = shop.uni(work, null);
        assertThat(shop.isTaken("uni")).isFalse();
        CompletableFuture<String> result = uni.subscribeAsCompletionStage();
        await().until(() -> shop.isTaken("uni"));
        CompletableFuture<String> second = shop.uni(work, null).subscribeAsCompletionStage();
        work.complete("done");
        assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("donetrue");
        assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("donetrue");
        await().until(() -> !shop.isTaken("uni"));
    }

    @Test
    void aCancelledUniReleasesTheLock() {
        Cancellable running =
                shop.uni(new CompletableFuture<>(), null).subscribe().with(done -> {});
        await().until(() -> shop.isTaken("uni"));
        Cancellable waiting =
                shop.uni(new CompletableFuture<>(), null).subscribe().with(done -> {});
        waiting.cancel();
        running.cancel();
        await().until(() -> !shop.isTaken("uni"));
    }

    @Test
    void anEventLoopIsNotBlocked() {
        AtomicReference<String> thread = new AtomicReference<>();
        CompletableFuture<String> result = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(nothing -> {
            try {
                shop.stock();
                result.complete("blocked");
            } catch (LockedMethodException e) {
                shop.uni(CompletableFuture.completedFuture("done"), null)
                        .onItem()
                        .invoke(() -> thread.set(Thread.currentThread().getName()))
                        .subscribe()
                        .with(text -> result.complete(e.getMessage()), result::completeExceptionally);
            }
        });
        assertThat(result).succeedsWithin(Duration.ofSeconds(10)).asString().contains("was called on an event loop");
        assertThat(thread.get()).isNotNull();
    }

    @Test
    void aMinimumTimeKeepsTheLock() {
        assertThat(shop.kept()).isEqualTo("ran");
        assertThat(shop.kept()).isNull();
    }

    @Test
    void aJobRuns() {
        await().atMost(Duration.ofSeconds(30)).until(() -> shop.jobs() > 0);
    }

    @Test
    void theApplicationIsReadyWhileAMajorityVotes() {
        List<HealthCheckResponse> ready = checks.select(Readiness.Literal.INSTANCE).stream()
                .map(HealthCheck::call)
                .filter(response -> response.getName().contains("Holdfast"))
                .toList();
        assertThat(ready).singleElement().satisfies(response -> {
            assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
            assertThat(response.getData().orElseThrow()).containsEntry("voting", "3 of 3, 2 are needed");
        });
    }

    @Test
    void theClientIsMeasuredByTheNamesOfItsAnnotations() {
        shop.ship(ORDER);
        assertThat(meters.getMeters())
                .anyMatch(meter -> meter.getId().getName().startsWith("holdfast.")
                        && "order".equals(meter.getId().getTag("group")));
    }
}
