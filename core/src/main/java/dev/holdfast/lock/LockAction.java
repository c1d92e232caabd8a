package dev.holdfast.lock;

/** Work under a lock, without a result. */
@FunctionalInterface
public interface LockAction<E extends Exception> {

    /** Does the work. The caller of this method releases the lease when the work ends, normally or with an exception. */
    void run(Lease lease) throws E;
}
