package dev.holdfast.lock;

/** What came of breaking a lease by force. */
public enum BreakOutcome {
    /** The lease with that token is gone at a majority of nodes, and can't come back; its holder is told at its next extension. */
    BROKEN,
    /** No lease with that token was found at any node that answered. */
    NOT_FOUND,
    /** Fewer nodes than a majority answered; where they did, the lease is gone. */
    NO_QUORUM,
}
