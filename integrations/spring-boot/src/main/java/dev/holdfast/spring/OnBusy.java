package dev.holdfast.spring;

/**
 * What a call of a {@link Locked} method does when somebody else has the lock. That too few nodes answer is something else, and always an
 * exception: {@link dev.holdfast.lock.NoQuorumException}.
 */
public enum OnBusy {
    /** Throws {@link dev.holdfast.lock.LockTimeoutException} at once, or after {@link Locked#waitFor} if that is given. */
    FAIL,
    /**
     * Does not run, at once, or after {@link Locked#waitFor} if that is given: the result is null, empty for an {@code Optional}, a {@code Mono} or a
     * {@code Flux}. Also if the lock is sealed, since its work was done. Of several calls at the same moment one runs, also when each has the votes of some nodes
     * first (PROTOCOL §4). Where one has to run although nodes answer late, give {@link Locked#waitFor}.
     */
    SKIP,
    /** Stands in line until it is its turn; throws {@link dev.holdfast.lock.LockTimeoutException} after {@link Locked#waitFor} if that is given. */
    WAIT,
}
