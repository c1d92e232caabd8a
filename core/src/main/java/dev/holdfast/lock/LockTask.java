package dev.holdfast.lock;

/** Work that is done under a lock and gives a result. */
@FunctionalInterface
public interface LockTask<T, E extends Exception> {

    /** Does the work; the lease is released when it ends, in whatever way. */
    T call(Lease lease) throws E;
}
