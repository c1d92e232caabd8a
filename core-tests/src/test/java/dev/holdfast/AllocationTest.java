package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.holdfast.lock.DistributedLock;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The client's allocations for an uncontended lock, on nodes in this process that work on the caller's thread. Without this test, only a reader of the
 * benchmarks would notice growth here.
 */
class AllocationTest {

    private static final int PAIRS = 5_000;

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /**
     * The bounds are a little above what interpreted code allocates, which compiled code never exceeds. The first half of the pairs is not counted, because
     * some work happens only the first time. The mean of the second half counts, so occasional allocations count too. So do the allocations of the nodes.
     */
    @ParameterizedTest
    @CsvSource({"1, 3900", "5, 8600"})
    void aPairAllocatesNoMoreThanItNeeds(int nodes, long mostBytes) throws Exception {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this Java does not count what threads allocate");
        String[] uris = IntStream.range(0, nodes).mapToObj(node -> "memory:").toArray(String[]::new);
        try (Holdfast holdfast = Holdfast.connect(uris)) {
            DistributedLock lock = holdfast.lock("orders");

            bytesOfAPair(lock);
            long mean = bytesOfAPair(lock);

            assertThat(mean).isLessThanOrEqualTo(mostBytes);
        }
    }

    private long bytesOfAPair(DistributedLock lock) throws InterruptedException {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int pair = 0; pair < PAIRS; pair++) {
            lock.acquire().release();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / PAIRS;
    }
}
