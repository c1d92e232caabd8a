package dev.holdfast.spring;

/**
 * What becomes of a call of a {@link Locked} method whose lease is lost while it runs, which is when somebody else may have the lock. Work that
 * must not go wrong even then has its fencing token checked where the data is.
 */
public enum OnLost {
    /**
     * The thread is interrupted, and the call ends with a {@link dev.holdfast.lock.LeaseLostException} unless it throws something else. Of a {@code Mono}, a
     * {@code Flux} or a {@link java.util.concurrent.CompletionStage}, what runs is cancelled.
     */
    INTERRUPT,
    /** The method runs to its end; the call ends with a {@link dev.holdfast.lock.LeaseLostException} then, unless it throws something else. */
    FAIL,
    /** The method runs to its end, and its result stands. The loss is in the log. */
    IGNORE,
}
