package dev.holdfast.benchmarks.work;

/**
 * The rate of an event that only one thread causes at a time. It counts whole turns, from the first event to the last.
 * Thread-safe, although the measured lock should already exclude concurrent calls.
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

    /** Returns the rate per second, or 0 if the event did not happen twice. */
    synchronized double perSecond() {
        return turns < 1 ? 0 : turns / ((lastNanos - firstNanos) / 1e9);
    }
}
