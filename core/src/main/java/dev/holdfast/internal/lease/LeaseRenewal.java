package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Extension;
import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.AcquireRequest.Update;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The validity of a lease and its renewal (PROTOCOL §4, "Extension"). It extends the lease in time, one extension at a time, and retries until the validity
 * ends. It reports risk and loss by the lease's own clock. Accessed only on the lease's serial executor, except {@link #validNanos}.
 */
final class LeaseRenewal implements LeaseExtension.Listener, RenewalSchedule.Listener {

    private static final System.Logger LOG = System.getLogger(LeaseRenewal.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The lease that is renewed. */
    interface Listener {

        /** Returns how long the holder may hold the lease; {@link Long#MAX_VALUE} without a holder or a limit. */
        long maxHoldNanos(Moment now);

        /** Returns the fence that a majority of the votes bears. */
        long fence();

        /** Returns the value that extensions carry to nodes that lack it; null for none. */
        @Nullable
        LockValue valueToKeep();

        void notifyAtRisk(AtRisk event);

        /** Applies an extension that a majority has confirmed. {@code longer} says whether the lease now lasts longer than before. */
        void extended(LeaseExtension by, boolean longer, Moment now);

        /** Notifies the lease that the nodes refused a raise: there are no more tokens. */
        void raiseRefused();

        /** Notifies the lease that an extension has ended, with or without success. */
        void extensionEnded();

        /** Notifies the lease that a request of another client waits behind it. */
        void contended(Ticket waiter);

        /** Ends the lease because it is lost. */
        void lose(Loss.Reason reason, String detail);

        /** Reports that the timer fired late. */
        void timerLate(long lateMillis);
    }

    private final Quorum quorum;
    private final Grant grant;
    private final boolean autoExtend;
    private final SerialExecutor executor;
    private final Listener lease;
    private final RenewalSchedule schedule;
    private volatile Deadline validity;
    private boolean fullTtl; // whether the votes have been granted for the full ttl
    private boolean ended;
    private @Nullable LeaseExtension running;
    private String failure = ""; // why the last extension failed
    private @Nullable AtRisk risk;

    LeaseRenewal(Quorum quorum, Grant grant, boolean autoExtend, SerialExecutor executor, Listener lease) {
        this.quorum = quorum;
        this.grant = grant;
        this.autoExtend = autoExtend;
        this.executor = executor;
        this.lease = lease;
        this.validity = grant.validity();
        this.fullTtl = !grant.isShort();
        this.schedule = new RenewalSchedule(quorum.timing(), executor, ttlMillis(), grant.acquired(), this);
        long valid = validNanos(grant.acquired());
        schedule.renewed(grant.acquired(), valid, valid);
    }

    private long ttlMillis() {
        return grant.votes().settings().ttlMillis();
    }

    private String name() {
        return grant.votes().settings().name();
    }

    @Override
    public Moment now() {
        return quorum.timing().now();
    }

    // ---- the deadline

    /** Returns how long a majority of the votes lasts. Runs on any thread. */
    long validNanos(Moment now) {
        return validity.remainingNanos(now);
    }

    /** Returns how long the holder has the lease without a further extension. */
    long remainingNanos(Moment now) {
        return Math.min(validNanos(now), lease.maxHoldNanos(now));
    }

    /** Returns whether a new holder would find the lease as safe as a fresh one. */
    boolean isSafe(Moment now) {
        return risk == null && !schedule.isAtRisk(validNanos(now));
    }

    @Nullable
    AtRisk risk() {
        return risk;
    }

    /** Begins to watch the deadline for a new holder. */
    void holderChanged(Moment now) {
        boolean bounded = lease.maxHoldNanos(now) != Long.MAX_VALUE;
        if (bounded) {
            schedule.holderChanged(remainingNanos(now));
        }
        if (bounded || !schedule.isArmed()) {
            arm(now);
        }
    }

    private void arm(Moment now) {
        schedule.arm(now, remainingNanos(now), risk == null, running == null && isExtendable(now));
    }

    /** Returns whether the lease is extended when an extension is due. */
    private boolean isExtendable(Moment now) {
        return validNanos(now) < lease.maxHoldNanos(now) && (autoExtend || !fullTtl);
    }

    @Override
    public void due(long lateMillis) {
        if (lateMillis > 0) {
            lease.timerLate(lateMillis);
        }
        check();
    }

    /** Compares the deadline with the clocks, which may have moved by more than the timer knows. */
    void check() {
        if (ended) {
            return;
        }
        Moment now = now();
        long left = remainingNanos(now);
        if (schedule.isLost(left)) {
            boolean tooLong = schedule.isLost(lease.maxHoldNanos(now));
            lease.lose(tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED, tooLong ? "" : failure);
            return;
        }
        if (risk == null && schedule.isAtRisk(left)) {
            AtRisk event = new AtRisk(name(), Duration.ofNanos(left), riskDetail(now));
            risk = event;
            lease.notifyAtRisk(event);
        }
        if (running == null && isExtendable(now) && schedule.isExtensionDue(now)) {
            extend(ttlMillis(), lease.valueToKeep(), null, now);
        }
        arm(now);
    }

    private String riskDetail(Moment now) {
        if (failure.isEmpty() && !isExtendable(now)) {
            return autoExtend ? "the longest hold allowed ends soon" : "it is not extended automatically";
        }
        return failure.isEmpty() ? "its extension is late" : failure;
    }

    // ---- extensions

    /** Extends the lease by request, or writes a value. The caller must have learned from {@link #isIdleOrRunLater} that no extension is under way. */
    void extend(
            long extendMillis,
            @Nullable LockValue value,
            @Nullable CompletableFuture<ExtendOutcome> outcome,
            Moment now) {
        start(new Update(lease.fence(), true, value), extendMillis, outcome, now);
    }

    /** Returns the ttl for an extension that must not make the lease last longer, unless the lease is extended anyway. */
    long unextendedMillis(Moment now) {
        return autoExtend || !fullTtl ? ttlMillis() : Math.max(validNanos(now) / NANOS_PER_MILLI, 1);
    }

    /** Requests the tokens up to this fence, unless an extension is under way. */
    void raise(long fence, Moment now) {
        if (running == null) {
            start(new Update(fence, false, null), ttlMillis(), null, now);
        }
    }

    /** Returns true if no extension is under way. Otherwise runs the task on the executor once that extension has ended, and returns false. */
    boolean isIdleOrRunLater(Runnable task) {
        LeaseExtension current = running;
        if (current != null) {
            current.whenDone(() -> executor.execute(task));
        }
        return current == null;
    }

    /** Starts an extension. It requests no time beyond the longest hold, except for the drift that will be deducted. */
    private void start(
            Update update, long extendMillis, @Nullable CompletableFuture<ExtendOutcome> outcome, Moment now) {
        ExtensionObserver observer = quorum.nodes()
                .observer()
                .extension(name(), grant.votes().settings().mode());
        LeaseExtension next = new LeaseExtension(this, update, outcome, observer, now);
        running = next;
        long longest = lease.maxHoldNanos(now);
        long asked = longest == Long.MAX_VALUE ? extendMillis : Math.min(extendMillis, Validity.ttlMillis(longest));
        Extension.start(grant.votes(), update, asked, next);
    }

    @Override
    public ExtendOutcome extended(LeaseExtension by, Deadline newValidity, Moment now) {
        if (ended || remainingNanos(now) <= 0) {
            return ExtendOutcome.LOST;
        }
        Deadline before = validity;
        validity = before.later(newValidity, now);
        fullTtl = true;
        failure = "";
        risk = null;
        schedule.renewed(now, remainingNanos(now), validNanos(now));
        lease.extended(by, !validity.equals(before), now);
        return ExtendOutcome.EXTENDED;
    }

    /** Applies a failed extension. A refused raise says only that there are no more tokens; the next extension heals every node that can be healed. */
    @Override
    public ExtendOutcome failed(LeaseExtension by, Loss.@Nullable Reason lost, String detail) {
        if (ended) {
            return ExtendOutcome.LOST;
        }
        if (!by.update.heal()) {
            lease.raiseRefused();
        } else if (lost != null) {
            lease.lose(lost, detail);
            return ExtendOutcome.LOST;
        } else {
            failure = "not extended: " + detail;
            LOG.log(Level.DEBUG, "Extension of {0} failed, {1}", name(), detail);
            Moment now = now();
            schedule.retry(now, remainingNanos(now));
        }
        return ExtendOutcome.UNCONFIRMED;
    }

    @Override
    public void ended(LeaseExtension by, Moment now) {
        if (running == by) {
            running = null;
        }
        if (!ended) {
            arm(now);
            lease.extensionEnded();
        }
    }

    @Override
    public void contended(Ticket waiter) {
        lease.contended(waiter);
    }

    /** Ends the renewal, because the lease is released, lost, or left to the nodes. */
    void end() {
        ended = true;
        schedule.end();
    }
}
