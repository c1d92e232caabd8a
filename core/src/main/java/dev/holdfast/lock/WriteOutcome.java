package dev.holdfast.lock;

/** What came of {@link Lease#writeValue}. */
public enum WriteOutcome {
    /** A majority of nodes keeps it: whoever gets the lock next reads it, or what is written after it. */
    WRITTEN,
    /** No majority confirmed it, so the next holder may read it or the one before; writing again settles that. The lease may still be held. */
    UNCONFIRMED,
    /** The lease had ended, and what others have written since stays. Some nodes may have kept it, where nothing was written since. */
    LOST,
}
