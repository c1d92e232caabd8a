package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Extension;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One extension of a lease, or a raise for more tokens. A lease starts the next one only after this one has succeeded or failed. Accessed only on
 * the lease's serial executor.
 */
final class LeaseExtension implements Extension.Listener {

    /** The lease to which an extension reports. */
    interface Listener {

        /** Applies the extension that a majority has confirmed, and returns its outcome: {@link ExtendOutcome#LOST} if the lease had ended before. */
        ExtendOutcome extended(LeaseExtension extension, Deadline validity, Moment now);

        /**
         * Applies an extension that no majority has confirmed, and returns its outcome.
         *
         * @param taken whether a majority of nodes no longer holds a vote for the lease
         */
        ExtendOutcome failed(LeaseExtension extension, boolean taken, String detail);

        /** Reports that a request of another client waits behind the lease. */
        void contended(Ticket waiter);

        /** Notifies the lease that the extension has an outcome, so that another extension may start. */
        void ended(LeaseExtension extension, Moment now);

        /** Returns the present time. */
        Moment now();
    }

    final long ttlMillis;
    final long raiseTo; // 0 to raise nothing
    final @Nullable LockValue value; // what it writes, or writes back
    private final Listener lease;
    private final @Nullable CompletableFuture<ExtendOutcome> outcome;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Moment started;
    private ExtensionObserver observer = ExtensionObserver.NONE;

    private LeaseExtension(
            Listener lease,
            long ttlMillis,
            long raiseTo,
            @Nullable LockValue value,
            @Nullable CompletableFuture<ExtendOutcome> outcome) {
        this.lease = lease;
        this.ttlMillis = ttlMillis;
        this.raiseTo = raiseTo;
        this.value = value;
        this.outcome = outcome;
        this.started = lease.now();
    }

    /**
     * Creates an extension that has not been sent.
     *
     * @param value the value that the extension carries to nodes that are not known to keep it; null for none
     * @param outcome receives the outcome; null if no caller asked for the extension
     */
    static LeaseExtension of(
            Listener lease,
            long ttlMillis,
            @Nullable LockValue value,
            @Nullable CompletableFuture<ExtendOutcome> outcome) {
        return new LeaseExtension(lease, ttlMillis, 0, value, outcome);
    }

    /** Creates a raise to this fence that has not been sent. */
    static LeaseExtension raise(Listener lease, long ttlMillis, long fence) {
        return new LeaseExtension(lease, ttlMillis, fence, null, null);
    }

    boolean raises() {
        return raiseTo > 0;
    }

    void observe(ExtensionObserver by) {
        observer = by;
    }

    /** Runs this after the extension has succeeded or failed. */
    void whenDone(Runnable next) {
        done.thenRun(next);
    }

    @Override
    public void extended(Deadline validity) {
        Moment now = lease.now();
        end(lease.extended(this, validity, now), now);
    }

    @Override
    public void failed(boolean anothers, String detail) {
        end(lease.failed(this, anothers, detail), lease.now());
    }

    @Override
    public void contended(Ticket waiter) {
        lease.contended(waiter);
    }

    /** Ends the extension, perhaps twice: a late answer can make a failed extension succeed. Only the first outcome is reported. */
    private void end(ExtendOutcome came, Moment now) {
        ExtensionObserver by = observer;
        observer = ExtensionObserver.NONE;
        if (by != ExtensionObserver.NONE) {
            by.ended(came, Duration.ofNanos(started.nanosUntil(now)));
        }
        if (outcome != null) {
            outcome.complete(came);
        }
        done.complete(null);
        lease.ended(this, now);
    }
}
