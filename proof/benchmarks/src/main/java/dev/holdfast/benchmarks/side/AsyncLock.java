package dev.holdfast.benchmarks.side;

import java.util.concurrent.Future;
import java.util.function.Consumer;

/** A lock of one side, for those who wait without a thread, each for itself. Thread-safe. */
@FunctionalInterface
public interface AsyncLock {

    /**
     * Asks for it, and does not wait.
     *
     * @param whenHeld told when it is held, on a thread of the side's
     * @return the side's own future; cancelling it gives up
     */
    Future<?> acquire(Consumer<Held> whenHeld);

    /** The lock while it is held. */
    @FunctionalInterface
    interface Held {

        /** Gives it back. */
        void release(Runnable then);
    }
}
