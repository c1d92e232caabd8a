package dev.holdfast.cdi;

/**
 * The effect of a lost lease on the running call of a {@link Locked} method. After the loss, another client may hold the lock. Where that could do
 * damage, let the resource check the fencing token.
 */
public enum OnLost {
    /**
     * Interrupts the thread; the call ends with a {@link dev.holdfast.lock.LeaseLostException} unless it throws another exception. A {@code Uni} or a
     * {@link java.util.concurrent.CompletionStage} is cancelled.
     */
    INTERRUPT,
    /** Lets the method finish; the call then ends with a {@link dev.holdfast.lock.LeaseLostException} unless it throws another exception. */
    FAIL,
    /** Lets the method finish and returns its result. */
    IGNORE,
}
