package dev.holdfast.internal.thread;

import static dev.holdfast.Spans.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;
import dev.holdfast.testkit.FakeCluster;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks as java.util.concurrent knows them. */
class ThreadLockTest {

    private Holdfast holdfast;
    private ExecutorService other;

    @BeforeEach
    void connect() {
        holdfast = Holdfast.connect("memory:");
        other = Executors.newSingleThreadExecutor();
    }

    @AfterEach
    void close() {
        other.shutdownNow();
        holdfast.close();
        assertThat(Thread.interrupted()).as("an interrupt left behind").isFalse();
    }

    private boolean otherGets(Lock lock) throws Exception {
        return other.submit(() -> {
                    boolean got = lock.tryLock();
                    if (got) {
                        lock.unlock();
                    }
                    return got;
                })
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void itExcludesOtherThreadsUntilItIsUnlocked() throws Exception {
        ThreadLock lock = holdfast.lock("x").asLock();
        lock.lock();
        assertThat(otherGets(lock)).isFalse();
        assertThat(lock.lease()).get().matches(Lease::isHeld);

        lock.unlock();

        assertThat(otherGets(lock)).isTrue();
        assertThat(lock.lease()).isEmpty();
    }

    @Test
    void aWaiterGetsIt() throws Exception {
        Lock lock = holdfast.lock("x").asLock();
        lock.lock();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(
                () -> {
                    lock.lock();
                    lock.unlock();
                    return true;
                },
                other);

        lock.unlock();

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void twiceByOneThreadIsRefusedUnlessAskedFor() {
        Lock lock = holdfast.lock("x").asLock();
        lock.lock();

        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("use a reentrant view");
        assertThatThrownBy(lock::tryLock).isInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @Test
    void aReentrantViewIsReleasedWithTheLastUnlock() throws Exception {
        ThreadLock lock = holdfast.lock("x").asReentrantLock();
        lock.lock();
        long token = lock.lease().orElseThrow().fencingToken();
        lock.lockInterruptibly();
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.lease().orElseThrow().fencingToken()).isEqualTo(token);

        lock.unlock();
        lock.unlock();
        assertThat(otherGets(lock)).isFalse();
        lock.unlock();

        assertThat(otherGets(lock)).isTrue();
    }

    @Test
    void onlyItsThreadUnlocksIt() throws Exception {
        Lock lock = holdfast.lock("x").asLock();
        lock.lock();

        CompletableFuture<Void> others = CompletableFuture.runAsync(lock::unlock, other);

        assertThatThrownBy(() -> others.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(otherGets(lock)).isFalse();
        lock.unlock();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessage("this thread does not hold 'x'");
    }

    @Test
    void unlockingWhatWasLostSaysSo() throws Exception {
        ThreadLock lock = holdfast.lock("x").ttl(millis(500)).autoExtend(false).asLock();
        lock.lock();
        lock.lease().orElseThrow().lost().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(LeaseLostException.class)
                .hasMessage("lease of 'x' ended before it was unlocked");

        assertThat(lock.tryLock()).as("the thread holds nothing any more").isTrue();
        lock.unlock();
    }

    @Test
    void whatWasLostIsNotEnteredAgain() throws Exception {
        ThreadLock lock = holdfast.lock("x").ttl(millis(50)).autoExtend(false).asReentrantLock();
        lock.lock();
        lock.lease().orElseThrow().lost().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void anInterruptEndsOnlyWhatMayBeInterrupted() throws Exception {
        Lock lock = holdfast.lock("x").asLock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);

        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).as("stays visible").isTrue();
        lock.unlock();

        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).as("stays visible").isTrue();
        lock.unlock();
    }

    @Test
    void timesOfAnySizeAreTaken() throws Exception {
        Lock lock = holdfast.lock("x").asReentrantLock();

        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.NANOSECONDS)).isTrue();
        lock.unlock();
        lock.unlock();
    }

    @Test
    void thereAreNoConditions() {
        Lock lock = holdfast.lock("x").asLock();

        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void noMajorityIsNotTheSameAsHeld() {
        FakeCluster cluster = new FakeCluster(3);
        cluster.server(0).stop();
        cluster.server(1).stop();
        Lock lock = cluster.client("a").lock("x").asLock();

        assertThatThrownBy(lock::tryLock).isInstanceOf(NoQuorumException.class);
    }

    @Test
    void readersShareAndWritersDoNot() throws Exception {
        ThreadReadWriteLock lock = holdfast.lock("x").asReadWriteLock();
        lock.readLock().lock();
        assertThat(otherGets(lock.readLock())).isTrue();
        assertThat(otherGets(lock.writeLock())).isFalse();
        lock.readLock().unlock();

        lock.writeLock().lock();
        assertThat(otherGets(lock.readLock())).isFalse();
        assertThat(lock.writeLock().lease()).get().matches(lease -> lease.fencingToken() > 0);
        lock.writeLock().unlock();
    }

    @Test
    void whoReadsCanNotWriteTooNorTheOtherWayRound() throws Exception {
        ThreadReadWriteLock lock = holdfast.lock("x").asReentrantReadWriteLock();
        lock.readLock().lock();
        lock.readLock().lock();
        assertThatThrownBy(lock.writeLock()::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("would wait for itself");
        assertThat(lock.writeLock().tryLock()).isFalse();
        lock.readLock().unlock();
        lock.readLock().unlock();

        assertThat(lock.writeLock().tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> lock.readLock().lockInterruptibly()).isInstanceOf(IllegalMonitorStateException.class);
        lock.writeLock().unlock();
    }
}
