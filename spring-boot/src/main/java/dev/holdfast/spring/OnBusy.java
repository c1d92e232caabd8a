package dev.holdfast.spring;

/**
 * What a call of a {@link Locked} method does when somebody else has the lock. That too few nodes answer is something else, and always an
 * exception: {@link dev.holdfast.NoQuorumException}.
 */
public enum OnBusy {
    /** Throws {@link dev.holdfast.LockTimeoutException} at once, or after {@link Locked#waitFor} if that is given. */
    FAIL,
    /**
     * Does not run, at once, or after {@link Locked#waitFor} if that is given: the result is null, empty for an {@code Optional}, a {@code Mono} or a
     * {@code Flux}. Also if the lock is sealed, since its work was done. Of several calls at the same moment that do not wait, all may be skipped: those among
     * which the votes of the nodes are split. Where one of them has to run, give {@link Locked#waitFor}.
     */
    SKIP,
    /** Stands in line until it is its turn; throws {@link dev.holdfast.LockTimeoutException} after {@link Locked#waitFor} if that is given. */
    WAIT,
}
