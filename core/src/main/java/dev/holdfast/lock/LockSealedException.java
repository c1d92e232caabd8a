package dev.holdfast.lock;

/** The work under this name was declared done, so nobody gets the lock until the seal ends. */
public final class LockSealedException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockSealedException(Refusal refusal) {
        super(refusal);
    }
}
