package dev.holdfast.cdi;

/**
 * The behavior of a call of a {@link Locked} method when another client holds the lock. A missing quorum is a different case and always throws {@link
 * dev.holdfast.lock.NoQuorumException}.
 */
public enum OnBusy {
    /** Throws {@link dev.holdfast.lock.LockTimeoutException} at once, or after {@link Locked#waitFor} if that is set. */
    FAIL,
    /**
     * Skips the call at once, or after {@link Locked#waitFor} if that is set. The result is null, empty for an {@code Optional}, or a {@code Uni} or a
     * stage of null. Also skips the call if the lock is sealed, because the work is done. Of several concurrent calls, one runs, even if each of them
     * first gets the votes of some nodes (PROTOCOL §4). If one call must run even when nodes answer late, set {@link Locked#waitFor}.
     */
    SKIP,
    /** Waits in the queue; throws {@link dev.holdfast.lock.LockTimeoutException} after {@link Locked#waitFor}. */
    WAIT,
}
