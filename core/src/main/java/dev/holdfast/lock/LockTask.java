package dev.holdfast.lock;

/** Work under a lock, with a result. */
@FunctionalInterface
public interface LockTask<T, E extends Exception> {

    /** Does the work. The caller of this method releases the lease when the work ends, normally or with an exception. */
    T call(Lease lease) throws E;
}
