package dev.holdfast.benchmarks.inner;

import dev.holdfast.node.OwnerId;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A benchmark of owner ids, which each request contains, and each push that a client reads. */
@State(Scope.Thread)
public class OwnerIdBenchmark {

    private static final String CLIENT = "bench@host:1~0123456789ab";

    private long attempt = 1_700_000_000_000_000L;
    private final String text = new OwnerId(CLIENT, attempt, 0).toString();

    @Benchmark
    public String encode() {
        return new OwnerId(CLIENT, ++attempt, 0).toString();
    }

    @Benchmark
    public Optional<OwnerId> decode() {
        return OwnerId.parse(text);
    }
}
