package dev.holdfast.observe;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import java.time.Duration;

/**
 * Told how one attempt went: {@link #granted} and later {@link #ended}, or {@link #refused}, each once. A client that is closed while a lease is held tells no
 * end of it if its nodes are to keep it.
 */
public interface LeaseObserver {

    /** Observes nothing. */
    LeaseObserver NONE = new LeaseObserver() {};

    /**
     * The lock was acquired. Called before whoever asked has the lease.
     *
     * @param waited how long the attempt took
     */
    default void granted(Lease lease, Duration waited) {}

    /** The attempt has ended without a lease. */
    default void refused(Refusal refusal) {}

    /** The lease has ended. Of a release the nodes have not been told yet. */
    default void ended(LeaseEnd end) {}
}
