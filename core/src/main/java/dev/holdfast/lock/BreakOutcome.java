package dev.holdfast.lock;

/** The outcome of breaking a lease. */
public enum BreakOutcome {
    /** A majority of nodes has released the lease, and it cannot heal; its holder learns of the loss at its next extension. */
    BROKEN,
    /** A majority of nodes answered, and none that answered holds a lease with that token. */
    NOT_FOUND,
    /** No majority of nodes confirmed it. The nodes that answered have released the lease. */
    UNCONFIRMED,
}
