package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Extension;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.AcquireRequest.Update;
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
         * @param lost why the lease is lost, if a majority of nodes no longer holds a vote for it; otherwise null
         */
        ExtendOutcome failed(LeaseExtension extension, Loss.@Nullable Reason lost, String detail);

        /** Reports that a request of another client waits behind the lease. */
        void contended(Ticket waiter);

        /** Notifies the lease that the extension has an outcome, so that another extension may start. */
        void ended(LeaseExtension extension, Moment now);

        /** Returns the present time. */
        Moment now();
    }

    final Update update;
    private final Listener lease;
    private final @Nullable CompletableFuture<ExtendOutcome> outcome;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Moment started;
    private ExtensionObserver observer;

    /**
     * Creates an extension that has not been sent.
     *
     * @param update the changes that it requests from the nodes, besides a longer life of their votes
     * @param outcome receives the outcome; null if no caller asked for the extension
     */
    LeaseExtension(
            Listener lease,
            Update update,
            @Nullable CompletableFuture<ExtendOutcome> outcome,
            ExtensionObserver observer,
            Moment now) {
        this.lease = lease;
        this.update = update;
        this.outcome = outcome;
        this.observer = observer;
        this.started = now;
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
    public void failed(Loss.@Nullable Reason lost, String detail) {
        end(lease.failed(this, lost, detail), lease.now());
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
