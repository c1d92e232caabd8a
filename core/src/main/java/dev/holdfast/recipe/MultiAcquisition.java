package dev.holdfast.recipe;

import dev.holdfast.lock.LockNotAcquiredException;
import dev.holdfast.lock.Refusal;

/** The outcome of an attempt to acquire several locks: {@link Held} with all leases, or {@link Refused} with the reason. Closing it releases the leases if there are any. */
public sealed interface MultiAcquisition extends AutoCloseable {

    /** Returns whether all locks were acquired. Whether the leases are still valid is {@link MultiLease#isHeld}. */
    boolean isHeld();

    /**
     * Returns the leases.
     *
     * @throws LockNotAcquiredException if there are none; its subclass says why
     */
    MultiLease leases();

    /** Releases the leases if there are any, as {@link MultiLease#close} does. */
    @Override
    void close();

    /**
     * All locks were acquired.
     *
     * @param leases the leases, which the caller releases
     */
    record Held(MultiLease leases) implements MultiAcquisition {

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void close() {
            leases.close();
        }
    }

    /**
     * No lock is held.
     *
     * @param refusal why one of the locks was not acquired
     */
    record Refused(Refusal refusal) implements MultiAcquisition {

        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public MultiLease leases() {
            throw refusal.exception();
        }

        @Override
        public void close() {}
    }
}
