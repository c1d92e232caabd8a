package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcesses;
import java.net.URI;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;

/** The requirements of Spring Integration for a registry, on real servers: from its documentation, and from the tests of its own registries. */
@Tag("slow")
class LockRegistryTest {

    private static final Duration TTL = Duration.ofSeconds(20);

    /** The ttl in tests that wait for an extension, or for what the extension finds out. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(6);

    private static final NodeOptions PATIENT =
            NodeOptions.defaults().timeout(Duration.ofSeconds(2)).connectTimeout(Duration.ofSeconds(20));

    private static RedisProcesses servers;

    private Holdfast holdfast;
    private Holdfast otherClient;
    private HoldfastLockRegistry registry;
    private HoldfastLockRegistry other;

    @BeforeAll
    static void startServers() {
        servers = RedisProcesses.start(3);
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @BeforeEach
    void connect() {
        holdfast = client();
        otherClient = client();
        registry = new HoldfastLockRegistry(holdfast, "shop", TTL);
        other = new HoldfastLockRegistry(otherClient, "shop", TTL);
    }

    private static Holdfast client() {
        return Holdfast.builder()
                .nodes(servers.uris().stream().map(URI::toString).toArray(String[]::new))
                .nodeOptions(PATIENT)
                .connect();
    }

    @AfterEach
    void close() {
        holdfast.close();
        otherClient.close();
    }

    private static <T> T inThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "another-in-a-test").start();
        return task.get();
    }

    @Test
    void locksAndUnlocks() throws Exception {
        Lock lock = registry.obtain("x");
        lock.lock();
        try {
            assertThat(inThread(() -> registry.obtain("x").tryLock())).isFalse();
            assertThat(other.obtain("x").tryLock()).isFalse();
            assertThat(other.obtain("y").tryLock()).isTrue();
            other.obtain("y").unlock();
        } finally {
            lock.unlock();
        }
        assertThat(other.obtain("x").tryLock()).isTrue();
        other.obtain("x").unlock();
    }

    @Test
    void isReentrantAlsoThroughAnotherView() throws Exception {
        registry.obtain("x").lockInterruptibly();
        assertThat(registry.obtain("x").tryLock()).isTrue();
        assertThat(registry.obtain("x").tryLock(1, TimeUnit.SECONDS)).isTrue();

        registry.obtain("x").unlock();
        registry.obtain("x").unlock();
        assertThat(other.obtain("x").tryLock()).isFalse();
        registry.obtain("x").unlock();
        assertThat(other.obtain("x").tryLock()).isTrue();
        other.obtain("x").unlock();
    }

    @Test
    void waitsAtMostAsLongAsItIsTold() throws Exception {
        registry.obtain("x").lock();
        long start = System.nanoTime();
        assertThat(other.obtain("x").tryLock(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(other.obtain("x").tryLock(-1, TimeUnit.SECONDS)).isFalse();
        assertThatThrownBy(() -> other.executeLocked("x", Duration.ofMillis(10), () -> {}))
                .isInstanceOf(TimeoutException.class);
        registry.obtain("x").unlock();
    }

    @Test
    void runsWorkUnderALock() throws Exception {
        assertThat(registry.<Boolean, RuntimeException>executeLocked(
                        "x", () -> other.obtain("x").tryLock()))
                .isFalse();
        assertThat(holdfast.admin().status("shop:x").holders()).isEmpty();
    }

    @Test
    void whoDoesNotHoldItCantUnlockOrRenewIt() throws Exception {
        Lock lock = registry.obtain("x");
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("You do not own lock 'shop:x'");
        assertThatThrownBy(() -> registry.renewLock("x")).isInstanceOf(IllegalStateException.class);
        lock.lock();
        assertThatThrownBy(() -> inThread(() -> {
                    registry.obtain("x").unlock();
                    return null;
                }))
                .hasCauseInstanceOf(IllegalStateException.class);
        lock.unlock();
    }

    @Test
    void livesAsLongAsItsHolderAndCanBeRenewed() {
        HoldfastLock lock = registry.obtain("x");
        lock.lock(SHORT_TTL);
        Lease lease = lock.lease().orElseThrow();
        Duration partly = SHORT_TTL.minusSeconds(1);
        await().until(() -> lease.remaining().compareTo(partly) < 0);
        await().until(() -> lease.remaining().compareTo(partly) > 0);

        registry.renewLock("x", Duration.ofSeconds(60));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(50));
        registry.renewLock("x");
        lock.unlock();
    }

    @Test
    void aTtlOfItsOwn() throws InterruptedException {
        DistributedLock lock = registry.obtain("x");
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(60))).isTrue();
        assertThat(registry.obtain("x").lease().orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(50));
        lock.unlock();
    }

    @Test
    void aLockThatWasLostIsToldAtItsEnd() throws Exception {
        HoldfastLock lock = registry.obtain("x");
        lock.lock();
        lose(lock);

        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);

        lock.lock();
        lose(lock);
        assertThatThrownBy(lock::lock).isInstanceOf(CannotAcquireLockException.class);
        assertThat(lock.tryLock()).as("begun anew").isTrue();
        lock.unlock();
    }

    private void lose(HoldfastLock lock) throws InterruptedException {
        Lease lease = lock.lease().orElseThrow();
        otherClient.admin().breakLease(lease.name(), lease.fencingToken(), "in a test");
        assertThat(lease.extend(TTL)).isEqualTo(ExtendOutcome.LOST);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        registry.obtain("x").lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> other.obtain("x").lockInterruptibly()).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(other.obtain("x").tryLock()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        registry.obtain("x").unlock();
    }

    @Test
    void refusesWhatIsNoKey() {
        assertThatThrownBy(() -> registry.obtain(7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.obtain("a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HoldfastLockRegistry(holdfast, " ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HoldfastLockRegistry(holdfast, "x", Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.obtain("x").newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }

    /** A candidate that reports when it leads. */
    private static final class Watcher extends DefaultCandidate {

        final AtomicInteger granted = new AtomicInteger();
        final AtomicInteger revoked = new AtomicInteger();

        Watcher(String id) {
            super(id, "leader");
        }

        @Override
        public void onGranted(Context context) {
            granted.incrementAndGet();
        }

        @Override
        public void onRevoked(Context context) {
            revoked.incrementAndGet();
        }

        boolean leads() {
            return granted.get() > revoked.get();
        }
    }

    private static LockRegistryLeaderInitiator initiator(HoldfastLockRegistry registry, Watcher candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(50);
        initiator.setLeaderEventPublisher(new DefaultLeaderEventPublisher(event -> {}));
        return initiator;
    }

    /** Returns whether the other candidate took over. A candidate that yields pauses only for a moment, so it leads again if the other one is slow. */
    private static boolean handedOver(LockRegistryLeaderInitiator from, Watcher one, Watcher two) {
        if (one.leads()) {
            from.getContext().yield();
        }
        return two.leads();
    }

    @Test
    void theLeaderInitiatorElectsHandsOverAndNoticesALoss() throws Exception {
        Watcher one = new Watcher("one");
        Watcher two = new Watcher("two");
        LockRegistryLeaderInitiator first = initiator(new HoldfastLockRegistry(holdfast, "shop", SHORT_TTL), one);
        LockRegistryLeaderInitiator second = initiator(new HoldfastLockRegistry(otherClient, "shop", SHORT_TTL), two);
        first.start();
        await().until(one::leads);
        second.start();
        assertThat(two.leads()).isFalse();

        await().until(() -> handedOver(first, one, two));
        await().until(() -> !one.leads());

        var holder = holdfast.admin().status("shop:leader").holders().get(0);
        holdfast.admin().breakLease("shop:leader", holder.token(), "in a test");
        await().until(() -> two.revoked.get() == 1);
        await().until(() -> one.leads() ^ two.leads());

        second.stop();
        await().until(one::leads);
        first.stop();
        await().until(() -> !one.leads() && !two.leads());
        await().until(() -> holdfast.admin().status("shop:leader").holders().isEmpty());
    }
}
