package dev.holdfast.benchmarks.work;

/**
 * How fast something goes on that only one at a time does, exact to the fraction of a turn: from the first to the last time that it was seen,
 * whole turns only. Thread-safe, though the lock that is measured should be enough.
 */
final class Beat {

    private long firstNanos;
    private long lastNanos;
    private long turns = -1;

    synchronized void beat() {
        lastNanos = System.nanoTime();
        if (turns < 0) {
            firstNanos = lastNanos;
        }
        turns++;
    }

    /** Times a second; 0 if it was not seen twice. */
    synchronized double perSecond() {
        return turns < 1 ? 0 : turns / ((lastNanos - firstNanos) / 1e9);
    }
}
