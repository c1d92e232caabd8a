package dev.holdfast.benchmarks.side;

import java.util.concurrent.Future;
import java.util.function.Consumer;

/** A lock of one side whose waiters need no thread. Each waiter is independent of the others. Thread-safe. */
@FunctionalInterface
public interface AsyncLock {

    /**
     * Requests the lock, and returns at once.
     *
     * @param whenHeld called when the lock is held, on a thread of the side
     * @return the side's own future; cancelling it ends the wait
     */
    Future<?> acquire(Consumer<Held> whenHeld);

    /** The held lock. */
    @FunctionalInterface
    interface Held {

        /** Releases the lock, and then runs {@code then}. */
        void release(Runnable then);
    }
}
