package dev.holdfast.lock;

/** The outcome of breaking a lease. */
public enum BreakOutcome {
    /** A majority of nodes has released the lease, and no extension can restore it. The holder learns of the loss at its next extension. */
    BROKEN,
    /** A majority of nodes answered, and none of these nodes holds a vote with that token. */
    NOT_FOUND,
    /** No majority of nodes confirmed that the lease is broken. The nodes that answered have released the lease. */
    UNCONFIRMED,
}
