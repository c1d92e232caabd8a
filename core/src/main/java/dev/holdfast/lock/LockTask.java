package dev.holdfast.lock;

/** Work under a lock, with a result. */
@FunctionalInterface
public interface LockTask<T, E extends Exception> {

    /** Does the work. The lease is released when it ends, normally or not. */
    T call(Lease lease) throws E;
}
