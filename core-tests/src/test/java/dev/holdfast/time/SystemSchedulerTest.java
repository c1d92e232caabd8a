package dev.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {

    private static final long HOUR = 3_600_000_000_000L;

    private final SystemScheduler scheduler = new SystemScheduler("scheduler-under-test");

    @AfterEach
    void close() {
        scheduler.close();
        await().until(() -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().startsWith("scheduler-under-test"))
                .count();
    }

    @Test
    void nothingRunsBeforeItIsNeeded() {
        assertThat(threads()).isZero();
    }

    @Test
    void aTimerRunsOnceAndNoEarlierThanItsTime() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        long start = System.nanoTime();

        scheduler.schedule(30_000_000, ran::countDown);

        ran.await();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
    }

    @Test
    void hostileDelaysAreNowOrNever() throws Exception {
        CountDownLatch ran = new CountDownLatch(2);
        scheduler.schedule(Long.MIN_VALUE, ran::countDown);
        scheduler.schedule(-1, ran::countDown);
        Timer never = scheduler.schedule(Long.MAX_VALUE, () -> {
            throw new AssertionError("for ever is over");
        });

        ran.await();
        never.cancel();
        never.cancel();
    }

    @Test
    void aCancelledTimerDoesNotRun() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);
        scheduler.schedule(0, () -> awaitQuietly(held)); // so that nothing runs before it is cancelled
        scheduler.schedule(10_000_000, cancelled::incrementAndGet).cancel();
        scheduler.schedule(20_000_000, later::countDown);
        held.countDown();

        later.await();
        assertThat(cancelled).hasValue(0);
    }

    @Test
    void aTaskThatThrowsKeepsNoOtherFromRunning() throws Exception {
        CountDownLatch ran = new CountDownLatch(2);
        scheduler.schedule(0, () -> {
            throw new IllegalStateException("in a timer, on purpose");
        });
        scheduler.schedule(0, ran::countDown);
        scheduler.execute(() -> {
            throw new IllegalStateException("in a worker, on purpose");
        });
        scheduler.execute(ran::countDown);

        ran.await();
    }

    @Test
    void aWorkerThatBlocksHoldsUpNobody() throws Exception {
        CountDownLatch block = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(2);
        scheduler.execute(() -> awaitQuietly(block));
        scheduler.execute(ran::countDown);
        scheduler.schedule(0, ran::countDown);

        ran.await();
        block.countDown();
    }

    @Test
    void aWorkerThatComputesWithoutEndHoldsUpNobody() throws Exception {
        AtomicInteger stop = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(10);
        scheduler.execute(() -> {
            while (stop.get() == 0) {
                Thread.onSpinWait();
            }
        });

        for (int i = 0; i < 10; i++) {
            scheduler.execute(ran::countDown);
        }

        ran.await();
        stop.set(1);
    }

    @Test
    void manyThatBlockHoldUpNobody() throws Exception {
        CountDownLatch block = new CountDownLatch(1);
        for (int i = 0; i < 100; i++) {
            scheduler.execute(() -> awaitQuietly(block));
        }
        CountDownLatch ran = new CountDownLatch(1);

        scheduler.execute(ran::countDown);

        ran.await();
        assertThat(threads()).isGreaterThan(100);
        block.countDown();
    }

    @Test
    void manyShortTasksTakeFewThreads() throws Exception {
        CountDownLatch ran = new CountDownLatch(100_000);
        for (int i = 0; i < 100_000; i++) {
            scheduler.execute(ran::countDown);
        }

        ran.await();
        assertThat(threads()).isLessThan(20);
    }

    @Test
    void whatIsInLineWhenItIsClosedRuns() throws Exception {
        CountDownLatch block = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.execute(() -> awaitQuietly(block));
        scheduler.execute(ran::countDown);

        scheduler.close();

        ran.await();
        block.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a task on a worker that ends after it. */
    private WeakReference<Thread> endedWorker() throws InterruptedException {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        scheduler.execute(() -> worker.complete(Thread.currentThread()));
        worker.join().join();
        return new WeakReference<>(worker.join());
    }

    @Test
    void aWorkerThatHasEndedIsForgotten() throws Exception {
        scheduler.close(); // from now on idle workers end at once
        WeakReference<Thread> first = endedWorker();
        endedWorker();

        await().until(() -> {
            System.gc();
            return first.get() == null;
        });
    }

    @Test
    void afterTheCloseTimersAreDroppedWorkersAreNot() throws Exception {
        AtomicInteger dropped = new AtomicInteger();
        scheduler.schedule(HOUR, dropped::incrementAndGet);
        scheduler.close();
        scheduler.close();
        CountDownLatch ran = new CountDownLatch(1);

        scheduler.schedule(0, dropped::incrementAndGet).cancel();
        scheduler.execute(ran::countDown);

        ran.await();
        assertThat(dropped).hasValue(0);
    }
}
