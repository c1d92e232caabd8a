package dev.holdfast.lock;

/** Work under a lock, without a result. */
@FunctionalInterface
public interface LockAction<E extends Exception> {

    /** Does the work. The lease is released when it ends, normally or not. */
    void run(Lease lease) throws E;
}
