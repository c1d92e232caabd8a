package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.spring.boot.Contexts;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** The statements of docs/guides/migrating.md about instances with the old locks and instances with Holdfast's, on one server at the same time. */
class RollingMigrationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_WHILE = Duration.ofSeconds(1);
    private static final int TIMES = 25;

    private static RedisProcesses servers;

    private LettuceConnectionFactory connections;
    private final List<Holdfast> clients = new ArrayList<>();
    private int counter; // guarded by the locks under test, and by nothing else

    @BeforeAll
    static void startServer() {
        servers = RedisProcesses.start(1);
    }

    @AfterAll
    static void stopServer() {
        servers.close();
    }

    @BeforeEach
    void connect() {
        connections = new LettuceConnectionFactory("127.0.0.1", servers.node(0).port());
        connections.afterPropertiesSet();
        connections.start();
    }

    @AfterEach
    void disconnect() {
        clients.forEach(Holdfast::close);
        connections.destroy();
    }

    private Holdfast holdfast(String keyPrefix) {
        Holdfast holdfast = Holdfast.builder()
                .nodes(servers.uris().get(0).toString())
                .keyPrefix(keyPrefix)
                .nodeOptions(
                        NodeOptions.defaults().timeout(Duration.ofSeconds(5)).connectTimeout(SOON))
                .connect();
        clients.add(holdfast);
        return holdfast;
    }

    // ---- both in one application

    /** An application whose locks have their full names. */
    @Configuration(proxyBeanMethods = false)
    static class Both {

        @LockedJob(name = "${old.jobs}report", atMost = "1m", atLeast = "100ms")
        public Optional<String> report() {
            return Optional.of("ran");
        }

        @Locked(name = "lock:orders", key = "#id", onBusy = OnBusy.SKIP)
        public Optional<String> ship(String id) {
            return Optional.of(id);
        }

        @Bean
        static HoldfastLockRegistry registry(Holdfast holdfast) {
            return new HoldfastLockRegistry(holdfast, "shop");
        }
    }

    @Test
    void e25_oneApplicationMeetsShedLockAndSpringIntegrationByFullNames() {
        RedisLockRegistry oldRegistry = oldRegistry();
        Contexts.bare()
                .withUserConfiguration(Both.class)
                .withPropertyValues(
                        "holdfast.nodes=" + servers.uris().get(0),
                        "holdfast.node.timeout=5s",
                        "holdfast.key-prefix=",
                        "old.jobs=job-lock:default:")
                .run(context -> {
                    Both ours = context.getBean(Both.class);
                    SimpleLock theirs = shedLock("report", SOON, Duration.ZERO).orElseThrow();
                    assertThat(ours.report()).as("while ShedLock holds it").isEmpty();
                    theirs.unlock();
                    assertThat(ours.report()).contains("ran");

                    Lock old = oldRegistry.obtain("orders");
                    Lock own = context.getBean(HoldfastLockRegistry.class).obtain("orders");
                    old.lock();
                    assertThat(elsewhere(own::tryLock)).isFalse();
                    old.unlock();
                    own.lock();
                    assertThat(elsewhere(old::tryLock)).isFalse();
                    own.unlock();

                    try (Lease withPrefix = holdfast("lock:").lock("orders:42").acquire(SOON)) {
                        assertThat(withPrefix.isHeld()).isTrue();
                        assertThat(ours.ship("42"))
                                .as("while a client with the default prefix holds it")
                                .isEmpty();
                    }
                    assertThat(ours.ship("42")).contains("42");
                });
        oldRegistry.destroy();
    }

    // ---- Spring Integration

    private RedisLockRegistry oldRegistry() {
        return new RedisLockRegistry(connections, "shop");
    }

    @Test
    void redisLockRegistryAndOursExcludeEachOtherWithoutAPrefix() throws Exception {
        RedisLockRegistry registry = oldRegistry();
        HoldfastLockRegistry ours = new HoldfastLockRegistry(holdfast(""), "shop");
        Lock before = registry.obtain("orders");
        Lock after = ours.obtain("orders");

        before.lock();
        assertThat(elsewhere(after::tryLock)).isFalse();
        before.unlock();

        after.lock();
        assertThat(elsewhere(before::tryLock)).isFalse();
        after.unlock();
        assertThat(elsewhere(() -> {
                    before.lock();
                    before.unlock();
                    return true;
                }))
                .isTrue();
        registry.destroy();
    }

    @Test
    void redisLockRegistryAndOursCountTogether() throws Exception {
        RedisLockRegistry registry = oldRegistry();
        registry.setIdleBetweenTries(Duration.ofMillis(2));
        HoldfastLockRegistry ours = new HoldfastLockRegistry(holdfast(""), "shop");

        countTogether(registry.obtain("count"), ours.obtain("count"));

        registry.destroy();
    }

    /** Holdfast's locks publish nothing when they are free: a waiter for a notification retries when its own ttl has passed. */
    @Test
    void aRedisLockRegistryThatWaitsToBeToldGetsOursAfterItsTtl() throws Exception {
        RedisLockRegistry registry = new RedisLockRegistry(connections, "shop", Duration.ofSeconds(2));
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
        Lock before = registry.obtain("told");
        Lock after = new HoldfastLockRegistry(holdfast(""), "shop").obtain("told");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        after.lock();
        try {
            Future<Boolean> waiting = thread.submit(() -> {
                before.lock();
                before.unlock();
                return true;
            });
            await("it is refused and subscribes, or it has the lock")
                    .atMost(SOON)
                    .until(() -> waiting.isDone() || hasSubscribed());
            assertThat(waiting).as("the lock is ours").isNotDone();
            after.unlock();

            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
        registry.destroy();
    }

    /** A RedisLockRegistry subscribes to a pattern once it is refused; clients of Holdfast subscribe to channels. */
    private static boolean hasSubscribed() {
        return !Objects.equals(servers.node(0).send("PUBSUB", "NUMPAT"), 0L);
    }

    @Test
    void redisLockRegistryAndOursKnowNothingOfEachOtherWithThePrefix() throws Exception {
        RedisLockRegistry registry = oldRegistry();
        HoldfastLockRegistry ours = new HoldfastLockRegistry(holdfast("lock:"), "shop");
        Lock before = registry.obtain("apart");
        Lock after = ours.obtain("apart");

        before.lock();
        assertThat(after.tryLock()).isTrue();
        after.unlock();
        before.unlock();
        registry.destroy();
    }

    /** Runs two threads for each lock; each thread reads, pauses and writes. */
    private void countTogether(Lock... locks) throws Exception {
        counter = 0;
        ExecutorService threads = Executors.newFixedThreadPool(2 * locks.length);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2 * locks.length; i++) {
                Lock lock = locks[i % locks.length];
                all.add(threads.submit(() -> countUnder(lock)));
            }
            for (Future<?> one : all) {
                one.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counter).isEqualTo(2 * locks.length * TIMES);
    }

    private Void countUnder(Lock lock) throws InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            assertThat(lock.tryLock(60, TimeUnit.SECONDS)).isTrue();
            try {
                int seen = counter;
                Thread.yield();
                counter = seen + 1;
            } finally {
                lock.unlock();
            }
        }
        return null;
    }

    private interface Question {
        boolean ask() throws Exception;
    }

    /** Asks on a new thread, since both kinds of locks belong to threads. */
    private static boolean elsewhere(Question question) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(question::ask).get(SOON.toSeconds(), TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
    }

    // ---- ShedLock

    private Optional<SimpleLock> shedLock(String name, Duration atMost, Duration atLeast) {
        LockProvider provider = new RedisLockProvider.Builder(connections).build();
        return provider.lock(new LockConfiguration(Instant.now(), name, atMost, atLeast));
    }

    private DistributedLock ours(String name) {
        return holdfast("job-lock:default:").lock(name);
    }

    @Test
    void shedLockAndOursExcludeEachOtherWithItsPrefix() throws Exception {
        DistributedLock lock = ours("nightly");
        SimpleLock before = shedLock("nightly", SOON, Duration.ZERO).orElseThrow();
        assertThat(lock.tryAcquire().isHeld()).isFalse();
        before.unlock();

        try (Lease after = lock.acquire(SOON)) {
            assertThat(after.isHeld()).isTrue();
            assertThat(shedLock("nightly", SOON, Duration.ZERO)).isEmpty();
        }
        Optional<SimpleLock> again = shedLock("nightly", SOON, Duration.ZERO);
        assertThat(again).isPresent();
        again.get().unlock();
    }

    @Test
    void whatIsToStayLockedForAWhileDoesSoForTheOther() throws Exception {
        shedLock("stays", SOON, SOON).orElseThrow().unlock();
        assertThat(ours("stays").tryAcquire().isHeld()).isFalse();

        Lease lease = ours("stays-too").acquire(SOON);
        assertThat(lease.releaseAfter(SOON)).isNotNull();
        assertThat(shedLock("stays-too", SOON, Duration.ZERO)).isEmpty();
    }

    @Test
    void whatWasToStayLockedForAWhileIsFreeForTheOtherAfterIt() throws Exception {
        shedLock("quick", SOON, A_WHILE).orElseThrow().unlock();
        Lease lease = ours("quick").acquire(SOON);

        assertThat(lease.releaseAfter(A_WHILE)).isNotNull();
        await().atMost(SOON).until(() -> shedLock("quick", SOON, Duration.ZERO).isPresent());
    }

    @Test
    void aShedLockThatCameTooLateFreesNothingOfOurs() throws Exception {
        SimpleLock late =
                shedLock("late", Duration.ofMillis(100), Duration.ZERO).orElseThrow();
        try (Lease lease = ours("late").acquire(SOON)) {
            late.unlock();

            assertThat(lease.extend(SOON)).isEqualTo(ExtendOutcome.EXTENDED);
            assertThat(shedLock("late", SOON, Duration.ZERO)).isEmpty();
        }
    }
}
