package dev.holdfast.lock;

/** Thrown if a majority of nodes answered, and another client held the lock for as long as the caller was willing to wait. */
public final class LockTimeoutException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockTimeoutException(Refusal refusal) {
        super(refusal);
    }
}
