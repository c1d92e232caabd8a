package dev.holdfast.benchmarks.side;

/** A lock of one side, as many threads want it. Thread-safe. */
@FunctionalInterface
public interface NamedLock {

    /** Acquires it, waiting for as long as it takes. */
    Held acquire() throws InterruptedException;

    /** The lock while it is held, by the thread that acquired it. */
    @FunctionalInterface
    interface Held {

        /** Gives it back; returns when the servers have said so. */
        void release();
    }
}
