package dev.holdfast.lock;

/**
 * The outcome of an attempt to acquire a lock: {@link Held} with the lease, or {@link Refused} with the reason. {@link #close} releases the lease if
 * there is one, so an acquisition suits a try-with-resources statement.
 */
public sealed interface Acquisition extends AutoCloseable {

    /** Returns whether the lock was acquired. {@link Lease#isHeld} says whether the lease is still valid. */
    default boolean isHeld() {
        return this instanceof Held;
    }

    /**
     * Returns the lease.
     *
     * @throws LockNotAcquiredException if the lock was not acquired; the subclass of the exception says why
     */
    Lease lease();

    /** Releases the lease if there is one, as {@link Lease#close} does. */
    @Override
    void close();

    /**
     * The outcome of an attempt that acquired the lock.
     *
     * @param lease the lease, which the caller releases
     */
    record Held(Lease lease) implements Acquisition {

        @Override
        public void close() {
            lease.close();
        }
    }

    /**
     * The outcome of an attempt that did not acquire the lock. The attempt leaves nothing at the nodes.
     *
     * @param refusal why, with the answer of every node
     */
    record Refused(Refusal refusal) implements Acquisition {

        @Override
        public Lease lease() {
            throw refusal.exception();
        }

        @Override
        public void close() {}
    }
}
