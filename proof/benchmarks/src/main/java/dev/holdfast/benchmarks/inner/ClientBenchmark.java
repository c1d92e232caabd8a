package dev.holdfast.benchmarks.inner;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.time.Timing;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A benchmark of the client's own work for a lock. The nodes are in this process and answer at once. */
@State(Scope.Benchmark)
public class ClientBenchmark {

    private static final long FENCE_RETENTION_MILLIS = 86_400_000;

    /** The number of nodes. */
    @Param({"1", "5"})
    public int nodes;

    private Timing timing = Timing.system("bench");
    private Holdfast holdfast = Holdfast.connect("memory:");
    private DistributedLock lock = holdfast.lock("a");
    private DistributedLock lingering = lock;

    @Setup
    public void connect() {
        holdfast.close();
        timing = Timing.system("bench");
        HoldfastBuilder builder = Holdfast.builder();
        for (int i = 0; i < nodes; i++) {
            MemoryNode node = new MemoryNode("memory-" + i, timing, FENCE_RETENTION_MILLIS);
            builder.node(context -> node.connect(context.client(), context.listener()));
        }
        holdfast = builder.connect();
        lock = holdfast.lock("a");
        lingering = holdfast.lock("b").linger(Duration.ofSeconds(10));
    }

    @Benchmark
    public void acquireAndRelease() throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            lease.ensureHeld();
        }
    }

    @Benchmark
    public void acquireAndReleaseLingering() throws InterruptedException {
        try (Lease lease = lingering.acquire()) {
            lease.ensureHeld();
        }
    }

    @TearDown
    public void close() {
        holdfast.close();
        timing.scheduler().close();
    }
}
