package dev.holdfast.lock;

/** Thrown if a majority of nodes answered, but another client held the lock or was ahead in its queue until the caller's wait ended. */
public final class LockTimeoutException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockTimeoutException(Refusal refusal) {
        super(refusal);
    }
}
