package dev.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Timers as a busy client has them: many threads, nearly all cancelled, some long and some due at once. */
class SystemSchedulerStressTest {

    private static final long MILLI = 1_000_000;
    private static final long HOUR = 3_600_000 * MILLI;

    private final long seed = Long.getLong("holdfast.seed", System.nanoTime());
    private final SystemScheduler scheduler = new SystemScheduler("scheduler-under-stress");
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        scheduler.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("scheduler-under-stress")));
    }

    /** A timer that must run, and what became of it. */
    private final class Expected {

        private final AtomicInteger runs = new AtomicInteger();
        private final long due;

        Expected(long delayNanos) {
            due = System.nanoTime() + delayNanos;
        }

        void run() {
            if (System.nanoTime() - due < 0) {
                broken.add("early");
            }
            runs.incrementAndGet();
        }
    }

    @Test
    void eachRunsOnceUnlessItWasCancelled() throws Exception {
        int threads = 4;
        Queue<Expected> expected = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Random random = new Random(seed + i);
            scheduler.execute(() -> {
                for (int n = 0; n < 30_000; n++) {
                    setOne(random, expected);
                }
                done.countDown();
            });
        }
        done.await();
        await().untilAsserted(() -> assertThat(expected).as("seed " + seed).allMatch(one -> one.runs.get() == 1));
        assertThat(broken).as("seed " + seed).isEmpty();
    }

    private void setOne(Random random, Queue<Expected> expected) {
        switch (random.nextInt(20)) {
            case 0 -> {
                long delay = random.nextInt(3) == 0 ? 0 : random.nextInt((int) (30 * MILLI));
                Expected one = new Expected(delay);
                scheduler.schedule(delay, one::run);
                expected.add(one);
            }
            case 1 -> scheduler.schedule(random.nextInt((int) MILLI), () -> {}).cancel();
            case 2 -> scheduler.schedule(HOUR, () -> broken.add("an hour is not over")); // stays until the end
            default -> cancelledAtOnce(500 * MILLI + random.nextInt(1000));
        }
    }

    private void cancelledAtOnce(long delay) {
        AtomicBoolean inTime = new AtomicBoolean();
        long due = System.nanoTime() + delay;
        Timer timer = scheduler.schedule(delay, () -> {
            if (inTime.get()) {
                broken.add("ran though it was cancelled");
            }
        });
        timer.cancel();
        inTime.set(System.nanoTime() - due < 0);
    }

    @Test
    void dueTogetherTheyRunInTheOrderTheyWereSetIn() throws Exception {
        List<Integer> order = new ArrayList<>();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(2_000);
        scheduler.schedule(0, () -> awaitQuietly(held)); // so that all the others are due before one runs
        for (int i = 0; i < 2_000; i++) {
            int number = i;
            scheduler.schedule(0, () -> {
                order.add(number);
                ran.countDown();
            });
        }
        held.countDown();
        ran.await();
        assertThat(order).isSorted().hasSize(2_000);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSoonerOneIsNotHeldUpByLaterOnes() throws Exception {
        for (int i = 0; i < 100_000; i++) {
            scheduler.schedule(HOUR + i, () -> broken.add("an hour is not over"));
        }
        for (int i = 0; i < 100; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            scheduler.schedule(i % 3 * MILLI, ran::countDown);
            ran.await();
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void whoeverKeepsATimerDoesNotKeepItsTaskOrOtherTimers() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        Object first = new Object();
        WeakReference<Object> ofFirst = new WeakReference<>(first);
        Timer dropped = scheduler.schedule(HOUR, runnableWith(first));
        dropped.cancel();
        Object second = new Object();
        WeakReference<Object> ofSecond = new WeakReference<>(second);
        Timer kept = scheduler.schedule(HOUR, runnableWith(second));
        scheduler.schedule(0, ran::countDown);
        ran.await();
        kept.cancel();
        first = null;
        second = null;
        await().until(() -> {
            System.gc();
            return ofFirst.get() == null && ofSecond.get() == null;
        });
        Reference.reachabilityFence(List.of(dropped, kept));
    }

    private static Runnable runnableWith(Object object) {
        return () -> Reference.reachabilityFence(object);
    }

    @Test
    void aTimerMaySetCancelAndCloseFromWithin() throws Exception {
        CompletableFuture<Timer> own = new CompletableFuture<>();
        CountDownLatch ran = new CountDownLatch(1);
        own.complete(scheduler.schedule(5 * MILLI, () -> {
            own.join().cancel();
            scheduler.schedule(MILLI, () -> {
                scheduler.close();
                scheduler.schedule(0, () -> broken.add("ran after the close"));
                ran.countDown();
            });
        }));
        ran.await();
        assertThat(broken).isEmpty();
    }

    @Test
    void anInterruptOfItsThreadDoesNotKeepItFromSleepingOrRunning() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(0, () -> {
            Thread.currentThread().interrupt();
            scheduler.schedule(20 * MILLI, ran::countDown);
        });
        ran.await();
    }
}
