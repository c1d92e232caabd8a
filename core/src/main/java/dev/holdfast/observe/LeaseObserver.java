package dev.holdfast.observe;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import java.time.Duration;

/**
 * An observer of one attempt and its lease: {@link #granted} and later {@link #ended}, or {@link #refused}, each called once. After
 * {@link dev.holdfast.Holdfast#closeLeavingLeases}, the end of a lease is not observed.
 */
public interface LeaseObserver {

    /** Observes nothing. */
    LeaseObserver NONE = new LeaseObserver() {};

    /**
     * Observes that the lock is acquired. It is called before the caller has the lease.
     *
     * @param lease the lease
     * @param waited how long the attempt took
     */
    default void granted(Lease lease, Duration waited) {}

    /** Observes that the attempt has ended without a lease. */
    default void refused(Refusal refusal) {}

    /** Observes that the lease has ended. A release has not reached the nodes yet. */
    default void ended(LeaseEnd end) {}
}
