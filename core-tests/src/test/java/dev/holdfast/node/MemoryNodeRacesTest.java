package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HandTiming;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.RecordingListener;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests of many threads to one node: the answers must be the same as if the requests had come one after the other. The test uses only real
 * processors: a table keeps all its state in collections of {@code java.util}, within which Lincheck's model checker does not switch threads.
 */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class MemoryNodeRacesTest {

    private static final LockMode[] MODES = {LockMode.EX, LockMode.PR, LockMode.EX};

    private static AcquireRequest acquire(int owner, boolean queue) {
        OwnerId id = new OwnerId("c~00000000", owner, 0);
        return new AcquireRequest(
                "lock", id, MODES[owner], new AcquireRequest.Terms(1_000, 1_000, 1), queue, AcquireRequest.Update.NONE);
    }

    private static ReleaseRequest release(int owner) {
        return new ReleaseRequest("lock", new OwnerId("c~00000000", owner, 0), 0);
    }

    /** The operations that Lincheck calls in all orders. */
    @Param(name = "owner", gen = IntGen.class, conf = "0:2")
    public static class Node {

        private final LockNode node = new MemoryNode("node", new HandTiming().timing(), 60_000)
                .connect("c~00000000", new RecordingListener());

        @Operation
        public String ask(@Param(name = "owner") int owner) {
            return node.acquire(acquire(owner, false))
                    .toCompletableFuture()
                    .join()
                    .toString();
        }

        @Operation
        public String queue(@Param(name = "owner") int owner) {
            return node.acquire(acquire(owner, true))
                    .toCompletableFuture()
                    .join()
                    .toString();
        }

        @Operation
        public String release(@Param(name = "owner") int owner) {
            return node.release(MemoryNodeRacesTest.release(owner))
                    .toCompletableFuture()
                    .join()
                    .toString();
        }
    }

    /** The same table without its monitor. */
    @Param(name = "owner", gen = IntGen.class, conf = "0:2")
    public static class TableWithoutMonitor {

        private final LockTable table = new LockTable(60_000, 0);

        @Operation
        public String ask(@Param(name = "owner") int owner) {
            return table.acquire(acquire(owner, false), 1_000_000, push -> {}).toString();
        }

        @Operation
        public String release(@Param(name = "owner") int owner) {
            return table.release(MemoryNodeRacesTest.release(owner), 1_000_000, push -> {})
                    .toString();
        }
    }

    private static StressOptions onRealProcessors() {
        return new StressOptions()
                .iterations(10)
                .invocationsPerIteration(Interleavings.times(300))
                .threads(2)
                .actorsPerThread(3);
    }

    @Test
    void answersAsIfAskedOneAfterTheOther() {
        onRealProcessors().check(Node.class);
    }

    @Test
    void aTableWithoutItsMonitorIsFound() {
        // The scenario is not shown, so Lincheck need not shorten it.
        StressOptions options = onRealProcessors().minimizeFailedScenario(false);
        assertThatThrownBy(() -> options.check(TableWithoutMonitor.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
