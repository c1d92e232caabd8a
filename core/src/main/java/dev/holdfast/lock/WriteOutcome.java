package dev.holdfast.lock;

/** The outcome of {@link Lease#writeValue}. */
public enum WriteOutcome {
    /** A majority of nodes keeps the value: the next holder reads it, or one that is written after it. */
    WRITTEN,
    /** No majority of nodes confirmed it, so the next holder may read this value or the one before. Writing again settles that. The lease may still be held. */
    UNCONFIRMED,
    /** The lease had ended. What others have written since stays; where nothing was written since, some nodes may have kept this value. */
    LOST,
}
