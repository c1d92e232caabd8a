package dev.holdfast.observe;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import java.time.Duration;

/**
 * An observer of one attempt and its lease. The client calls {@link #granted} and later {@link #ended}, or else {@link #refused}, each once. After
 * {@link dev.holdfast.Holdfast#closeLeavingLeases}, the client does not report the end of a lease.
 */
public interface LeaseObserver {

    /** Observes nothing. */
    LeaseObserver NONE = new LeaseObserver() {};

    /**
     * Observes that the attempt has acquired the lock. The client calls this method before the caller has the lease.
     *
     * @param lease the lease
     * @param waited how long the attempt took
     */
    default void granted(Lease lease, Duration waited) {}

    /** Observes that the attempt has ended without a lease. */
    default void refused(Refusal refusal) {}

    /** Observes that the lease has ended. At this time, a release has not reached the nodes yet. */
    default void ended(LeaseEnd end) {}
}
