package dev.holdfast.time;

/** A task that waits for its time. Thread-safe. */
@FunctionalInterface
public interface Timer {

    /** Keeps the task from running if it has not begun; harmless at any time, and more than once. */
    void cancel();
}
