package dev.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Idle threads are not woken by each task, and end although there are tasks. */
@Tag("slow")
class IdleWorkersTest {

    private static final String NAME = "idle-under-test";
    private static final int CROWD = 32;
    private static final int PAIRS = 100;
    private static final int LEAST_PAIRS = 10;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static ThreadInfo[] workers() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().startsWith(NAME + "-worker"))
                .toArray(ThreadInfo[]::new);
    }

    /** Returns how often all workers together have begun to wait. */
    private static long waits() {
        return Arrays.stream(workers()).mapToLong(ThreadInfo::getWaitedCount).sum();
    }

    /**
     * Each task wakes the thread that runs it, and no other idle thread. A queue that seems to stand still, as on a busy machine, gets more threads, which
     * wakes all of them; that must not happen for most tasks.
     */
    @Test
    void aCrowdThatHasNothingToDoIsNotWokenByEachTask() throws Exception {
        SystemScheduler scheduler = new SystemScheduler(NAME);
        try {
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < CROWD; i++) {
                scheduler.execute(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            await("a crowd").until(() -> workers().length >= CROWD);
            end.countDown();

            List<Long> woken = new ArrayList<>();
            while (woken.size() < PAIRS && workers().length > CROWD / 2) { // idle threads end after a while
                long before = waits();
                CountDownLatch done = new CountDownLatch(2);
                scheduler.execute(done::countDown);
                scheduler.execute(done::countDown);
                done.await();
                CountDownLatch later = new CountDownLatch(1); // after the next check of the queue
                scheduler.schedule(4_000_000, later::countDown);
                later.await();
                woken.add(waits() - before);
            }

            Collections.sort(woken);
            assertThat(woken).hasSizeGreaterThan(LEAST_PAIRS);
            assertThat(woken.get(woken.size() / 2))
                    .as("waits for two tasks, of %s", woken)
                    .isLessThan(CROWD / 2L);
        } finally {
            scheduler.close();
            await("all have ended").until(() -> workers().length == 0);
        }
    }

    /** The idle threads take turns, so none of them is idle for long while tasks arrive. */
    @Test
    void aCrowdEndsWhileSomeTasksStillArrive() throws Exception {
        SystemScheduler scheduler = new SystemScheduler(NAME);
        try {
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < CROWD; i++) {
                scheduler.execute(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            await("a crowd").until(() -> workers().length >= CROWD);
            end.countDown();

            await("a few threads").atMost(Duration.ofSeconds(60)).until(() -> {
                for (int i = 0; i < CROWD; i++) {
                    CountDownLatch done = new CountDownLatch(1);
                    scheduler.execute(done::countDown);
                    done.await();
                }
                return workers().length <= 4;
            });
        } finally {
            scheduler.close();
            await("all have ended").until(() -> workers().length == 0);
        }
    }
}
