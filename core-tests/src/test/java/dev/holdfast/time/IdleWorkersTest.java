package dev.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Threads that have nothing to do are left alone. */
class IdleWorkersTest {

    private static final String NAME = "idle-under-test";
    private static final int CROWD = 32;
    private static final int TASKS = 200;
    private static final int MOST_TIMES = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static ThreadInfo[] workers() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().startsWith(NAME + "-worker"))
                .toArray(ThreadInfo[]::new);
    }

    /** How often they have begun to wait, all together. */
    private static long waits() {
        return Arrays.stream(workers()).mapToLong(ThreadInfo::getWaitedCount).sum();
    }

    /**
     * Each task wakes the one that does it; those beside it do not wake with it. Where a line only seems to stand still, as on a busy machine, it gets
     * more threads, which wakes all; so one time of several has to be calm.
     */
    @Test
    void aCrowdThatHasNothingToDoIsNotWokenByEachTask() throws Exception {
        List<Long> counted = new ArrayList<>();
        while (counted.stream().noneMatch(waits -> waits < TASKS * 4L + CROWD * 3L)) {
            assertThat(counted).as("waits, too many each time").hasSizeLessThan(MOST_TIMES);
            counted.add(waitsOfACrowd());
        }
    }

    /** How often they wait while tasks are done; more than can be where they have ended before that. */
    private static long waitsOfACrowd() throws InterruptedException {
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

            long before = waits();
            for (int i = 0; i < TASKS / 2; i++) {
                CountDownLatch done = new CountDownLatch(2);
                scheduler.execute(done::countDown);
                scheduler.execute(done::countDown);
                done.await();
                CountDownLatch later = new CountDownLatch(1); // when the line has been looked at
                scheduler.schedule(4_000_000, later::countDown);
                later.await();
            }

            long waited = waits() - before;
            return workers().length < CROWD / 2 ? Long.MAX_VALUE : waited;
        } finally {
            scheduler.close();
            await("all have ended").until(() -> workers().length == 0);
        }
    }
}
