package dev.holdfast.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

    private final SerialExecutor executor = new SerialExecutor();

    @Test
    void aTaskFromWithinATaskRunsAfterIt() {
        List<String> order = new ArrayList<>();

        executor.execute(() -> {
            executor.execute(() -> order.add("inner"));
            order.add("outer");
        });

        assertThat(order).containsExactly("outer", "inner");
    }

    @Test
    void aTaskThatThrowsKeepsNoOtherFromRunning() {
        List<String> order = new ArrayList<>();

        executor.execute(() -> {
            executor.execute(() -> order.add("next"));
            throw new IllegalStateException("a bug, on purpose");
        });
        executor.execute(() -> order.add("last"));

        assertThat(order).containsExactly("next", "last");
    }

    @Test
    void manyThreadsNeverMeetInside() throws Exception {
        int[] sum = new int[1]; // not thread-safe
        CountDownLatch done = new CountDownLatch(40_000);
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    for (int j = 0; j < 10_000; j++) {
                        executor.execute(() -> {
                            sum[0]++;
                            done.countDown();
                        });
                    }
                }))
                .toList();
        threads.forEach(Thread::start);

        done.await();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(sum[0]).isEqualTo(40_000);
    }
}
