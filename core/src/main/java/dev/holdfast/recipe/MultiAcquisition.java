package dev.holdfast.recipe;

import dev.holdfast.lock.LockNotAcquiredException;
import dev.holdfast.lock.Refusal;

/** What came of trying to get several locks: all of them, or none. Closing it releases them if there are any. */
public sealed interface MultiAcquisition extends AutoCloseable {

    /** Whether all were acquired. Says nothing of now; that is {@link MultiLease#isHeld}. */
    boolean isHeld();

    /**
     * The leases.
     *
     * @throws LockNotAcquiredException if there are none; which kind says why
     */
    MultiLease leases();

    /** Releases the leases if there are any; never throws for that. */
    @Override
    void close();

    /** All were acquired. */
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
     * None is held.
     *
     * @param refusal of the lock that could not be had
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
