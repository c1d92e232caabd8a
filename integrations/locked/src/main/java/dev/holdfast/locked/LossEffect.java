package dev.holdfast.locked;

/** The effect of a lost lease on the running call of a locked method. */
public enum LossEffect {
    /** Interrupts the thread or cancels the stage; the call ends with a {@link dev.holdfast.lock.LeaseLostException}. */
    INTERRUPT,
    /** Lets the method finish; the call then ends with a {@link dev.holdfast.lock.LeaseLostException}. */
    FAIL,
    /** Lets the method finish and returns its result. */
    IGNORE,
}
