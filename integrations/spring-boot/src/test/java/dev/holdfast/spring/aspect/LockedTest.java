package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.OnLost;
import dev.holdfast.spring.boot.Contexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of {@link Locked} methods. */
class LockedTest {

    record Order(String id) {}

    static class Shop {

        final Holdfast holdfast;
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger lostMonos = new AtomicInteger();
        final CountDownLatch never = new CountDownLatch(1);

        Shop(Holdfast holdfast) {
            this.holdfast = holdfast;
        }

        int calls() {
            return calls.get();
        }

        private boolean isTaken(String name) {
            try (Acquisition other = holdfast.lock(name).localHandOver(false).tryAcquire()) {
                return !other.isHeld();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Calls another method under the same lock, as a bean with a reference to its own proxy does. */
        @Locked(name = "nested", key = "#order.id")
        public String outer(Order order, Shop proxy) {
            return proxy.inner(order);
        }

        @Locked(name = "nested", key = "#order.id")
        public String inner(Order order) {
            return "ran";
        }

        @Locked("stock")
        public boolean stock() {
            return isTaken("stock");
        }

        @Locked(name = "order", key = "#order.id")
        public List<Boolean> ship(Order order) {
            return List.of(isTaken("order:7"), isTaken("order:8"));
        }

        @Locked(name = "order", key = "#a0 + '/' + #root.method.name")
        public boolean byPosition(String id) {
            return isTaken("order:7/byPosition");
        }

        @Locked("token")
        public List<Long> token(@Nullable Lease lease) {
            return List.of(
                    lease.fencingToken(), Holdfast.currentLease().orElseThrow().fencingToken());
        }

        @Locked(name = "busy", onBusy = OnBusy.SKIP)
        public @Nullable String skip() {
            return "ran";
        }

        @Locked(name = "busy", onBusy = OnBusy.SKIP)
        public Optional<String> skipOptional() {
            return Optional.of("ran");
        }

        @Locked(name = "busy", onBusy = OnBusy.FAIL)
        public void fail() {}

        @Locked(name = "busy", waitFor = "${patience:50ms}")
        public void waitALittle() {}

        @Locked(name = "busy")
        public String waitOn() {
            return "ran";
        }

        @Locked(name = "busy")
        public void waitAndSay() throws InterruptedException {}

        @Locked(name = "read", mode = LockMode.PR)
        public boolean read() throws InterruptedException {
            try (Acquisition other = holdfast.lock("read").shared().tryAcquire()) {
                return other.isHeld();
            }
        }

        @Locked(name = "short", atLeast = "${least:1h}", ttl = "1s")
        public void atLeast() {}

        /** Runs until its lease is lost, which must not happen before {@link #lose} causes the loss. */
        @Locked(name = "lost", ttl = "2s")
        public void interrupted() throws InterruptedException {
            lose();
            never.await();
        }

        @Locked(name = "lost", ttl = "100ms", onLost = OnLost.FAIL)
        public String failed() {
            lose();
            calls.incrementAndGet();
            return "done";
        }

        @Locked(name = "lost", ttl = "100ms", onLost = OnLost.IGNORE)
        public String ignored() {
            lose();
            return "done";
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

        @Locked("stage")
        public CompletableFuture<String> stage(CompletableFuture<String> work) {
            return work;
        }

        @Locked("mono")
        public Mono<Long> mono(@Nullable Lease lease) {
            return Mono.fromCallable(() -> isTaken("mono") ? lease.fencingToken() : -1);
        }

        @Locked(name = "busy", onBusy = OnBusy.SKIP)
        public Mono<String> skipMono() {
            return Mono.just("ran");
        }

        @Locked("flux")
        public Flux<Boolean> flux() {
            return Flux.just(1, 2).map(i -> isTaken("flux"));
        }

        public int lostMonos() {
            return lostMonos.get();
        }

        @Locked(name = "lostMono", ttl = "100ms")
        public Mono<String> lostMono(@Nullable Lease lease) throws InterruptedException {
            holdfast.admin().breakLease(lease.name(), lease.fencingToken(), "in a test");
            return Mono.<String>never().doOnCancel(() -> lostMonos.incrementAndGet());
        }

        @Locked(name = "order", key = "#id")
        public void nullKey(@Nullable String id) {}

        @Locked(name = "order", key = "#a0 / 2")
        public void failingKey(String id) {}

        @Locked(name = "order", key = "#a0")
        public void emptyKey(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Shop shop(Holdfast holdfast) {
            return new Shop(holdfast);
        }
    }

    /** The step of a test that uses the application. */
    private interface Use {
        void with(Shop shop, Holdfast holdfast, ApplicationContext context) throws Exception;
    }

    private static void run(Use use, String... properties) {
        Contexts.inMemory()
                .withUserConfiguration(Application.class)
                .withPropertyValues(properties)
                .run(context -> use.with(context.getBean(Shop.class), context.getBean(Holdfast.class), context));
    }

    private static boolean isFree(Holdfast holdfast, String name) throws InterruptedException {
        return holdfast.admin().status(name).holders().isEmpty();
    }

    @Test
    void theMethodRunsUnderItsLockAndNoLonger() {
        run((shop, holdfast, context) -> {
            assertThat(shop.stock()).isTrue();
            assertThat(isFree(holdfast, "stock")).isTrue();
        });
    }

    @Test
    @Timeout(60)
    void c13_aNestedCallUnderTheSameLockFailsAtOnce() {
        run((shop, holdfast, context) -> {
            Order order = new Order("7");

            assertThatThrownBy(() -> shop.outer(order, shop))
                    .isInstanceOf(SelfDeadlockException.class)
                    .hasMessageContaining("lock 'nested:7' is held by this thread itself");

            assertThat(isFree(holdfast, "nested:7")).isTrue();
            assertThat(shop.inner(order)).isEqualTo("ran");
        });
    }

    @Test
    void theKeyTellsLocksApart() {
        run((shop, holdfast, context) -> {
            assertThat(shop.ship(new Order("7"))).containsExactly(true, false);
            assertThat(shop.ship(new Order("8"))).containsExactly(false, true);
            assertThat(shop.byPosition("7")).isTrue();
        });
    }

    @Test
    void theLeaseIsAtHandAsAnArgumentAndOnTheThread() {
        run((shop, holdfast, context) -> {
            List<Long> tokens = shop.token(null);
            assertThat(tokens.get(0)).isPositive().isEqualTo(tokens.get(1));
            assertThat(Holdfast.currentLease()).isEmpty();
        });
    }

    @Test
    void aBusyLockSkipsFailsOrIsWaitedFor() {
        run((shop, holdfast, context) -> {
            Lease other = holdfast.lock("busy").localHandOver(false).acquire();

            assertThat(shop.skip()).isNull();
            assertThat(shop.skipOptional()).isEmpty();
            assertThat(shop.skipMono().blockOptional()).isEmpty();
            assertThatThrownBy(shop::fail).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(shop::waitALittle)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'busy'");
            FutureTask<String> waiting = new FutureTask<>(shop::waitOn);
            new Thread(waiting, "waiting-in-a-test").start();
            await().until(() -> holdfast.admin().status("busy").waiters().size() == 1);

            other.release();

            assertThat(waiting.get()).isEqualTo("ran");
            assertThat(shop.skip()).isEqualTo("ran");
            assertThat(shop.skipOptional()).contains("ran");
            assertThat(shop.skipMono().block()).isEqualTo("ran");
        });
    }

    @Test
    void theLongestWaitMayBeSetForAll() {
        run(
                (shop, holdfast, context) -> {
                    Lease other = holdfast.lock("busy").localHandOver(false).acquire();
                    assertThatThrownBy(shop::waitOn).isInstanceOf(LockTimeoutException.class);
                    other.release();
                },
                "holdfast.locked.wait-for=10ms");
    }

    @Test
    void anInterruptEndsTheWaitAndStaysVisibleWhereItCantBeThrown() {
        run((shop, holdfast, context) -> {
            Lease other = holdfast.lock("busy").localHandOver(false).acquire();
            Thread.currentThread().interrupt();
            assertThatThrownBy(shop::waitOn)
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("interrupted while waiting for lock 'busy'");
            assertThat(Thread.interrupted()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(shop::waitAndSay).isInstanceOf(InterruptedException.class);
            other.release();
        });
    }

    @Test
    void anInterruptAfterTheWaitStaysVisibleToo() {
        Thread caller = Thread.currentThread();
        ClientObserver interrupting = new ClientObserver() {
            @Override
            public ExtensionObserver extension(String lock, LockMode mode) {
                caller.interrupt();
                return ExtensionObserver.NONE;
            }
        };
        Contexts.inMemory()
                .withUserConfiguration(Application.class)
                .withBean(ClientObserver.class, () -> interrupting)
                .run(context -> {
                    assertThatThrownBy(context.getBean(Shop.class)::atLeast)
                            .isInstanceOf(HoldfastException.class)
                            .hasMessageContaining("interrupted while waiting for lock 'short'");
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(isFree(context.getBean(Holdfast.class), "short")).isTrue();
                });
    }

    @Test
    void aBeanInTwoProxiesIsLockedOnce() {
        Contexts.inMemory()
                .withUserConfiguration(Application.class)
                .withBean(DefaultAdvisorAutoProxyCreator.class)
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);
                    assertThat(((Advised) shop).getTargetSource().getTarget()).isInstanceOf(Advised.class);
                    assertThat(shop.stock()).isTrue();
                    assertThat(shop.mono(null).block()).isPositive();
                });
    }

    @Test
    void readersShare() {
        run((shop, holdfast, context) -> assertThat(shop.read()).isTrue());
    }

    /** Another client, after an application has run its method and has ended. */
    private static Holdfast afterAtLeast(String node, Duration least) {
        Holdfast other = Holdfast.connect(node);
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=" + node, "least=" + least.toSeconds() + "s")
                .withUserConfiguration(Application.class)
                .run(context -> context.getBean(Shop.class).atLeast());
        return other;
    }

    @Test
    void atLeastOutlastsTheMethodAndTheApplication() throws Exception {
        Duration least = Duration.ofMinutes(1);
        long start = System.nanoTime();
        try (Holdfast other = afterAtLeast("memory:atLeast", least)) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("no thread waits")
                    .isLessThan(least);
            assertThat(other.lock("short").tryAcquire().isHeld()).isFalse();
            assertThat(other.admin().status("short").holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.remaining().toMillis())
                            .as("much more than the ttl")
                            .isGreaterThan(least.toMillis() / 2));
        }
    }

    @Test
    void atLeastEnds() throws Exception {
        try (Holdfast other = afterAtLeast("memory:atLeastEnds", Duration.ofSeconds(2))) {
            assertThat(other.lock("short").tryAcquire(Duration.ofSeconds(20)).isHeld())
                    .isTrue();
        }
    }

    @Test
    void aLossInterruptsFailsOrIsIgnored() {
        run((shop, holdfast, context) -> {
            assertThatThrownBy(shop::interrupted).isInstanceOf(LeaseLostException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThatThrownBy(shop::failed).isInstanceOf(LeaseLostException.class);
            assertThat(shop.calls()).as("it ran to its end").isEqualTo(1);
            assertThat(shop.ignored()).isEqualTo("done");
        });
    }

    @Test
    void aStageHoldsTheLockUntilItCompletes() {
        run((shop, holdfast, context) -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = shop.stage(work);
            assertThat(isFree(holdfast, "stage")).isFalse();
            assertThat(result).isNotDone();

            work.complete("done");

            assertThat(result.get()).isEqualTo("done");
            assertThat(isFree(holdfast, "stage")).isTrue();
            assertThatThrownBy(shop.stage(CompletableFuture.failedFuture(new IllegalStateException("no")))::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no");
            assertThat(isFree(holdfast, "stage")).isTrue();
        });
    }

    @Test
    void aMonoOrAFluxHoldsTheLockWhileItRuns() {
        run((shop, holdfast, context) -> {
            Mono<Long> mono = shop.mono(null);
            assertThat(isFree(holdfast, "mono")).isTrue();
            long first = mono.block();
            assertThat(first).isPositive();
            assertThat(mono.block())
                    .as("each subscription has a lease of its own")
                    .isGreaterThan(first);
            assertThat(shop.flux().collectList().block()).containsExactly(true, true);
            assertThat(isFree(holdfast, "flux")).isTrue();
            assertThatThrownBy(() -> shop.lostMono(null).block()).isInstanceOf(LeaseLostException.class);
            assertThat(shop.lostMonos()).as("cancelled").isEqualTo(1);
        });
    }

    @Test
    void aKeyThatIsNoneEndsTheCallAndNamesTheMethod() {
        run((shop, holdfast, context) -> {
            assertThatThrownBy(() -> shop.nullKey(null))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageStartingWith("@Locked method Shop.nullKey(String) has the key '#id', which is null");
            assertThatThrownBy(() -> shop.failingKey("7"))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("Shop.failingKey(String)")
                    .hasMessageContaining("which fails for this call: ")
                    .hasMessageContaining("'DIVIDE' is not supported");
            assertThatThrownBy(() -> shop.emptyKey(""))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("which is empty");
            assertThatThrownBy(() -> shop.emptyKey("a\nb"))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("Shop.emptyKey(String) cannot be locked");
        });
    }

    @Test
    void whatTheMethodThrowsPassesUnharmedAndFreesTheLock() {
        List<Throwable> thrown = new ArrayList<>();
        run((shop, holdfast, context) -> {
            IllegalStateException failure = new IllegalStateException("no");
            try {
                shop.stage(null);
                shop.ship(null);
            } catch (RuntimeException e) {
                thrown.add(e);
            }
            assertThat(isFree(holdfast, "stage")).isTrue();
            assertThat(failure).isNotNull();
        });
        assertThat(thrown).hasSize(1);
    }
}
