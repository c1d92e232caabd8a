package dev.holdfast.benchmarks.side;

/** A lock of one side, which many threads may want. Thread-safe. */
@FunctionalInterface
public interface NamedLock {

    /** Acquires the lock, waiting without a limit. */
    Held acquire() throws InterruptedException;

    /** The lock, held by the thread that acquired it. */
    @FunctionalInterface
    interface Held {

        /** Releases the lock; returns when the servers have confirmed it. */
        void release();
    }
}
