package dev.holdfast.lock;

/** The outcome of {@link Lease#writeValue}. */
public enum WriteOutcome {
    /** A majority of nodes keeps the value. The next holder reads this value, or one that was written after it. */
    WRITTEN,
    /**
     * No majority of nodes confirmed the write, so the next holder may read this value or the one before. Writing again settles that. The caller may
     * still hold the lease.
     */
    UNCONFIRMED,
    /** The lease had ended. Values that later holders have written stay. If no later holder has written one, some nodes may have kept this value. */
    LOST,
}
