package dev.holdfast.benchmarks.inner;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A benchmark of a node's rules alone: it grants a vote and releases it. */
@State(Scope.Thread)
public class LockTableBenchmark {

    private static final long NOW = 1_700_000_000_000L;
    private static final long TTL_MILLIS = 30_000;
    private static final String CLIENT = "bench@host:1~0123456789ab";

    private final LockTable table = new LockTable(86_400_000, NOW);
    private long attempt;

    @Benchmark
    public void acquireAndRelease(Blackhole sink) {
        OwnerId owner = new OwnerId(CLIENT, ++attempt, 0);
        AcquireAnswer granted = table.acquire(
                AcquireRequest.forQueuedVote("lock:a", owner, LockMode.EX, TTL_MILLIS, TTL_MILLIS, 1),
                NOW,
                sink::consume);
        ReleaseAnswer released = table.release(new ReleaseRequest("lock:a", owner, 0), NOW, sink::consume);
        sink.consume(granted);
        sink.consume(released);
    }
}
