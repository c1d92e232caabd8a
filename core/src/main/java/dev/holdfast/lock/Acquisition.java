package dev.holdfast.lock;

/**
 * The outcome of an attempt to acquire a lock: {@link Held} with the lease, or {@link Refused} with the reason. Closing it releases the lease if
 * there is one, so it suits a try-with-resources statement.
 */
public sealed interface Acquisition extends AutoCloseable {

    /** Returns whether the lock was acquired. Whether the lease is still valid is {@link Lease#isHeld}. */
    boolean isHeld();

    /**
     * Returns the lease.
     *
     * @throws LockNotAcquiredException if there is none; its subclass says why
     */
    Lease lease();

    /** Releases the lease if there is one, as {@link Lease#close} does. */
    @Override
    void close();

    /**
     * The lock was acquired.
     *
     * @param lease the lease, which the caller releases
     */
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

    /**
     * The lock was not acquired, and nothing of the attempt stays at the nodes.
     *
     * @param refusal why, with the answer of every node
     */
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
