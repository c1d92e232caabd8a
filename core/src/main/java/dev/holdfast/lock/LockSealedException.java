package dev.holdfast.lock;

/** Thrown if the work under this lock was declared done, so that nobody gets the lock until the seal ends. */
public final class LockSealedException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockSealedException(Refusal refusal) {
        super(refusal);
    }
}
