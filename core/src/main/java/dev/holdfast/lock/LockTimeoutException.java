package dev.holdfast.lock;

/** A majority of nodes answered, but somebody else held the lock for as long as the caller was willing to wait. */
public final class LockTimeoutException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockTimeoutException(Refusal refusal) {
        super(refusal);
    }
}
