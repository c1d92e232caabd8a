package dev.holdfast.benchmarks.work;

import org.HdrHistogram.Histogram;

/** The summary of waits, in microseconds. */
final class Waits {

    private static final double NANOS_PER_MICRO = 1e3;

    private Waits() {}

    static Answer addTo(Answer answer, Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            throw new IllegalStateException("no thread acquired the lock during the measurement");
        }
        return answer.with("p50", nanos.getValueAtPercentile(50) / NANOS_PER_MICRO)
                .with("p99", nanos.getValueAtPercentile(99) / NANOS_PER_MICRO)
                .with("longest", nanos.getMaxValue() / NANOS_PER_MICRO);
    }
}
