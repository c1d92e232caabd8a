package dev.holdfast.time;

/** A task that waits for its time. Implementations are thread-safe. */
@FunctionalInterface
public interface Timer {

    /** Prevents the task from running if it has not begun. A caller may cancel at any time and more than once. */
    void cancel();
}
