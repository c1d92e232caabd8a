package dev.holdfast.benchmarks.work;

/**
 * The rate of something that only one thread does at a time, exact to the fraction of a turn: whole turns from the
 * first to the last time that it was seen. Thread-safe, though the measured lock should suffice.
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

    /** Returns the rate per second; 0 if it was not seen twice. */
    synchronized double perSecond() {
        return turns < 1 ? 0 : turns / ((lastNanos - firstNanos) / 1e9);
    }
}
