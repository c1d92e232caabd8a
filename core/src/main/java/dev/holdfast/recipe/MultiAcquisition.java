package dev.holdfast.recipe;

import dev.holdfast.lock.LockNotAcquiredException;
import dev.holdfast.lock.Refusal;

/** The outcome of an attempt to acquire several locks: {@link Held} with all leases, or {@link Refused} with the reason. Closing it releases the leases if there are any. */
public sealed interface MultiAcquisition extends AutoCloseable {

    /** Returns whether all locks were acquired. {@link MultiLease#isHeld} says whether the leases are still valid. */
    default boolean isHeld() {
        return this instanceof Held;
    }

    /**
     * Returns the leases.
     *
     * @throws LockNotAcquiredException if there are none; the subclass of the exception says why
     */
    MultiLease leases();

    /** Releases the leases if there are any, as {@link MultiLease#close} does. */
    @Override
    void close();

    /**
     * The outcome of an attempt that acquired all locks.
     *
     * @param leases the leases, which the caller releases
     */
    record Held(MultiLease leases) implements MultiAcquisition {

        @Override
        public void close() {
            leases.close();
        }
    }

    /**
     * The outcome of an attempt that holds no lock.
     *
     * @param refusal why one of the locks was not acquired
     */
    record Refused(Refusal refusal) implements MultiAcquisition {

        @Override
        public MultiLease leases() {
            throw refusal.exception();
        }

        @Override
        public void close() {}
    }
}
