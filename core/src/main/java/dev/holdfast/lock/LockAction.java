package dev.holdfast.lock;

/** Work that is done under a lock. */
@FunctionalInterface
public interface LockAction<E extends Exception> {

    /** Does the work; the lease is released when it ends, in whatever way. */
    void run(Lease lease) throws E;
}
