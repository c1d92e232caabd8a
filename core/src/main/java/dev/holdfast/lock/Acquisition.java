package dev.holdfast.lock;

/**
 * What came of trying to get a lock: {@link Held} with the lease, or {@link Refused} with the reason. Closing it releases the lease if
 * there is one, so it fits a try-with-resources statement.
 */
public sealed interface Acquisition extends AutoCloseable {

    /** Whether the lock was acquired. Says nothing of now; that is {@link Lease#isHeld}. */
    boolean isHeld();

    /**
     * The lease.
     *
     * @throws LockNotAcquiredException if there is none; which kind says why
     */
    Lease lease();

    /** Releases the lease if there is one; never throws for that. */
    @Override
    void close();

    /** The lock was acquired. */
    record Held(Lease lease) implements Acquisition {

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /** The lock was not acquired, and nothing of the attempt is left behind. */
    record Refused(Refusal refusal) implements Acquisition {

        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public Lease lease() {
            throw refusal.exception();
        }

        @Override
        public void close() {}
    }
}
