package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the client allocates for a lock that nobody contends, on nodes in this process, which do all on the thread that asks. What grows here would be seen
 * by nobody but who reads the benchmarks.
 */
class AllocationTest {

    private static final int ROUNDS = 50;
    private static final int PAIRS = 200;

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /**
     * The bounds are a little above what interpreted code allocates, which compiled code never exceeds. The least of many rounds counts: in others something was
     * done for the first time. What the nodes allocate counts, too.
     */
    @ParameterizedTest
    @CsvSource({"1, 3900", "5, 8600"})
    void aPairAllocatesNoMoreThanItNeeds(int nodes, long mostBytes) throws Exception {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this Java does not count what threads allocate");
        String[] uris = IntStream.range(0, nodes).mapToObj(node -> "memory:").toArray(String[]::new);
        try (Holdfast holdfast = Holdfast.connect(uris)) {
            DistributedLock lock = holdfast.lock("orders");

            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int pair = 0; pair < PAIRS; pair++) {
                    lock.acquire().release();
                }
                least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / PAIRS);
            }

            assertThat(least).isLessThanOrEqualTo(mostBytes);
        }
    }
}
