package dev.holdfast.node;

import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** The behavior of a memory node beyond the contract: it drops expired state without requests, and is thread-safe. */
class MemoryNodeTest {

    @Test
    void whatNobodyAsksForAnyMoreDoesNotStayInMemory() {
        ManualTiming time = new ManualTiming(1);
        MemoryNode node = new MemoryNode("server", time.timing(), 1_000);
        LockNode client = node.connect("c~00000000", new RecordingListener());
        for (int i = 0; i < 100_000; i++) {
            client.acquire(
                    AcquireRequest.forVote("lock-" + i, new OwnerId("c~00000000", 1, 0), LockMode.EX, 500, 500, 1));
        }
        assertThat(node.size()).isEqualTo(100_000);

        time.advance(seconds(61));

        assertThat(time.machine().pendingTimers())
                .as("nothing is left to sweep")
                .isZero();
        assertThat(node.size()).isZero();
    }

    @Test
    void aLaterConnectionOfTheSameClientTakesThePushesOver() {
        ManualTiming time = new ManualTiming(1);
        MemoryNode node = new MemoryNode("server", time.timing(), 1_000_000);
        RecordingListener old = new RecordingListener();
        RecordingListener fresh = new RecordingListener();
        LockNode first = node.connect("c~00000000", old);
        first.acquire(AcquireRequest.forVote("x", new OwnerId("c~00000000", 1, 0), LockMode.EX, 60_000, 60_000, 1));
        LockNode second = node.connect("c~00000000", fresh);
        first.close();

        second.acquire(
                AcquireRequest.forQueuedVote("x", new OwnerId("c~00000000", 2, 0), LockMode.EX, 60_000, 60_000, 1));
        time.drain();

        assertThat(old.pushes()).isEmpty();
        assertThat(fresh.pushes()).hasSize(1);
    }

    /** Threads read, add and write under no lock but the one under test: a lost update makes the sum too small. */
    @Test
    void threadsCountWithoutLosingOne() throws Exception {
        int threads = 8;
        int rounds = 200;
        int[] counter = new int[1];
        long[] lastToken = new long[1];
        List<FutureTask<Void>> tasks = new ArrayList<>();
        try (Holdfast holdfast = Holdfast.connect("memory:", "memory:", "memory:")) {
            for (int thread = 0; thread < threads; thread++) {
                tasks.add(new FutureTask<>(() -> {
                    for (int round = 0; round < rounds; round++) {
                        try (Lease lease = holdfast.lock("counter").acquire(seconds(60))) {
                            int read = counter[0];
                            Thread.onSpinWait();
                            counter[0] = read + 1;
                            assertThat(lease.fencingToken()).isGreaterThan(lastToken[0]);
                            lastToken[0] = lease.fencingToken();
                        }
                    }
                    return null;
                }));
            }
            tasks.forEach(task -> new Thread(task).start());
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
            assertThat(holdfast.lock("counter").status().holders()).isEmpty();
        }
        assertThat(counter[0]).isEqualTo(threads * rounds);
    }
}
