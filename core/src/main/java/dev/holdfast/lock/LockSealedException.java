package dev.holdfast.lock;

/** Thrown if the lock is sealed: a client declared the work under it done, and no client gets the lock until the seal ends. */
public final class LockSealedException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    LockSealedException(Refusal refusal) {
        super(refusal);
    }
}
