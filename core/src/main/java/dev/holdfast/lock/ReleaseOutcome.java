package dev.holdfast.lock;

/** What came of giving a lease back. In every case the caller holds it no longer. */
public enum ReleaseOutcome {
    /** It was held until now, and is free for others. */
    RELEASED,
    /** It had ended before: it was lost, its time was up, or the nodes had no vote of it any more. Others may have held it since. */
    EXPIRED,
    /**
     * Fewer nodes than a majority answered in time. It was held until now as far as this client can tell; the nodes are told in
     * the background, and free it by themselves at the end of its ttl at the latest.
     */
    UNKNOWN,
}
