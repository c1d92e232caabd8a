package dev.holdfast.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Calls of {@link Locked} methods in Weld, with locks on real Redis servers. */
class LockedTest {

    private static final int THREADS = 8;
    private static final int CALLS = 5;
    private static final Shop.Order ORDER = new Shop.Order("7", new Shop.Customer("Ada", LocalDate.of(1815, 12, 10)));

    private static RedisProcesses servers;
    private static Application application;
    private static Shop shop;
    private static Holdfast holdfast;

    @BeforeAll
    static void start() {
        servers = RedisProcesses.start(3);
        application = Application.start(
                Map.of("holdfast.nodes", uris(), "holdfast.ttl", "5s", "shop.lock", "from-properties"),
                Shop.class,
                Warehouse.Books.class);
        shop = application.get(Shop.class);
        holdfast = application.get(Holdfast.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        servers.close();
    }

    private static String uris() {
        return servers.uris().stream().map(Object::toString).collect(Collectors.joining(","));
    }

    @Test
    void e25_eightThreadsHaveOneHolder() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS * CALLS; i++) {
                calls.add(threads.submit(() -> shop.sell("book")));
            }
            for (Future<Integer> call : calls) {
                assertThat(call.get()).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(shop.sold()).isEqualTo(THREADS * CALLS);
    }

    @Test
    void theClientHasTheSettingsOfTheApplication() {
        assertThat(holdfast.lock("x").ttl()).isEqualTo(Duration.ofSeconds(5));
        assertThat(holdfast.admin().nodeNames()).hasSize(3);
    }

    @Test
    void keysHaveTheTextOfValues() {
        assertThat(shop.ship(ORDER)).containsExactly(true, false);
        assertThat(shop.customer(ORDER)).isTrue();
        assertThat(shop.several("a:b", ORDER)).isTrue();
        assertThat(shop.parcel(new Shop.Parcel(new Object(), "p1"))).isTrue();
        assertThat(shop.any(42)).isTrue();
        assertThat(shop.expression()).isTrue();
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
        List<Long> first = shop.token(null);
        assertThat(first.get(0)).isPositive().isEqualTo(first.get(1));
        assertThat(shop.token(null).get(0)).isGreaterThan(first.get(0));
    }

    @Test
    void aBusyLockSkipsFailsOrLetsWait() throws Exception {
        CompletableFuture<String> waiting;
        try (Lease other = holdfast.lock("busy").localHandOver(false).acquire()) {
            assertThat(shop.skip()).isNull();
            assertThat(shop.skipOptional()).isEmpty();
            assertThat(shop.skipStage().toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isNull();
            assertThatThrownBy(shop::fail).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(shop::waitALittle).isInstanceOf(LockTimeoutException.class);
            ExecutorService thread = Executors.newSingleThreadExecutor();
            waiting = CompletableFuture.supplyAsync(shop::waitLong, thread);
            thread.shutdown();
            await().until(() -> holdfast.admin().status("busy").waiters().size() == 1);
            assertThat(waiting).isNotDone();
        }
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("ran");
        assertThat(shop.skip()).isEqualTo("ran");
        assertThat(shop.skipOptional()).isEqualTo(Optional.of("ran"));
        try (Lease reader = holdfast.lock("busy").shared().localHandOver(false).acquire()) {
            assertThat(shop.read()).isEqualTo("read");
        }
    }

    @Test
    void aCallFromWithinItsOwnLockFailsUnlessItIsReentrant() {
        assertThatThrownBy(() -> shop.outer("1", shop))
                .isInstanceOf(SelfDeadlockException.class)
                .hasMessageContaining("@Locked method Shop.inner(String) cannot acquire its lock");
        assertThat(shop.outerOfReentrant("1", shop)).isEqualTo("rantrue");
        assertThat(shop.isTaken("nested:1")).isFalse();
    }

    @Test
    void aReentrantReaderDoesNotWaitBehindAWriter() throws Exception {
        assertThat(shop.reader(shop)).isEqualTo("read");
    }

    @Test
    void anInheritedMethodIsLocked() {
        assertThat(application.get(Warehouse.Books.class).move(42)).isEqualTo("warehouse:42");
    }

    @Test
    void aCallWithinOneObjectIsNotIntercepted() {
        assertThat(shop.holdsItself()).isTrue();
        assertThat(shop.callsItself())
                .as("the guide warns that Weld does not intercept this call")
                .isFalse();
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
    void aMinimumTimeKeepsTheLock() {
        assertThat(shop.kept()).isEqualTo("ran");
        assertThat(shop.kept()).isNull();
    }

    @Test
    void aJobHoldsItsLockAndIsSkippedWhileAnotherInstanceRunsIt() {
        assertThat(shop.job()).hasValue(true);
        assertThat(shop.job()).isEmpty();
    }

    @Test
    void theEndOfTheApplicationReleasesItsLeasesAndClosesItsClient() throws Exception {
        Map<String, String> properties =
                Map.of("holdfast.nodes", uris(), "shop.lock", "x", "holdfast.key-prefix", "end:");
        Application other = Application.start(properties, Shop.class, Farewell.class);
        Holdfast client = other.get(Holdfast.class);
        other.get(Farewell.class).greet();
        Lease lease = client.lock("open").acquire();
        assertThat(votes()).isNotEmpty();
        other.close();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(() -> client.lock("open").tryAcquire()).isInstanceOf(HoldfastClosedException.class);
        assertThat(Farewell.held).containsExactly(true, true);
        assertThat(votes()).isEmpty();
    }

    /** Returns the keys of the locks that are held or waited for, without the fences. */
    private static List<String> votes() {
        List<String> keys = new ArrayList<>();
        for (RedisProcess server : servers) {
            keys.addAll(server.keys("end:*"));
        }
        return keys;
    }

    @Test
    void aResultWhoseDeclaredTypeHidesThatItIsDeferredHoldsTheLockOrFails() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();

        CompletableFuture<String> result = shop.within(() -> work);

        assertThat(shop.isTaken("anything")).isTrue();
        work.complete("done");
        assertThat(result.get()).isEqualTo("done");
        assertThat(shop.isTaken("anything")).isFalse();
        assertThatThrownBy(() -> shop.within(() -> List.of("later").iterator()))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("@Locked method Shop.within(Supplier) returned a java.util.");
        assertThat(shop.isTaken("anything")).isFalse();
    }
}
