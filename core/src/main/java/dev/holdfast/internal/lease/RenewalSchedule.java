package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a lease is extended, at risk and lost: after a third of its remaining validity, at half of it and just before its end (PROTOCOL §4,
 * "Extension"). One timer serves all three. Accessed only on the lease's serial executor.
 */
final class RenewalSchedule implements Runnable {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LATE_NANOS = 100 * NANOS_PER_MILLI;
    private static final long STEPS = 64;
    private static final long LONGEST_RETRY_NANOS = 1_000 * NANOS_PER_MILLI;

    /** Receives the events of a schedule. */
    interface Listener {

        /** Handles the timer, which fired late by this many milliseconds; 0 if the delay is too small to mention. */
        void due(long lateMillis);
    }

    private final Timing timing;
    private final SerialExecutor executor;
    private final Listener listener;
    private final long lossMarginNanos;
    private long renewedNanos; // the time that was left right after the last extension
    private Moment plannedFrom;
    private long plannedNanos; // how long after plannedFrom to extend
    private @Nullable Timer timer;
    private Moment armed;
    private long armedNanos; // how long after armed the timer is due
    private boolean ended;

    /**
     * Creates a schedule without a timer.
     *
     * @param granted when the lease began
     * @param listener called on the executor
     */
    RenewalSchedule(Timing timing, SerialExecutor executor, long ttlMillis, Moment granted, Listener listener) {
        this.timing = timing;
        this.executor = executor;
        this.listener = listener;
        this.lossMarginNanos = lossMarginNanos(ttlMillis);
        this.plannedFrom = granted;
        this.armed = granted;
    }

    /** Returns how early the loss is reported, so that the report is in time: a hundredth of the ttl, 1 to 20 ms. */
    private static long lossMarginNanos(long ttlMillis) {
        return Math.min(Math.max(ttlMillis * NANOS_PER_MILLI / 100, NANOS_PER_MILLI), 20 * NANOS_PER_MILLI);
    }

    /**
     * Plans the next extension after a grant or an extension.
     *
     * @param leftNanos how long the holder has the lease without a further extension
     * @param validNanos how long the votes last
     */
    void renewed(Moment now, long leftNanos, long validNanos) {
        holderChanged(leftNanos);
        plannedFrom = now;
        plannedNanos = aligned(Math.max(validNanos, 0) / 3, now);
    }

    /** Calculates risk from the remaining time of a new holder. */
    void holderChanged(long leftNanos) {
        renewedNanos = Math.max(leftNanos, 0);
    }

    /** Returns a slightly earlier time, which the client's other leases use as well, so that one request extends many leases. */
    private static long aligned(long nanos, Moment now) {
        long step = Long.highestOneBit(nanos / STEPS);
        return step == 0 ? nanos : nanos - Math.floorMod(now.nanos() + nanos, step);
    }

    /** Plans a retry after a failed extension. The pause is at most an eighth of the lease's remaining time. */
    void retry(Moment now, long leftNanos) {
        long longest = Math.max(Math.min(leftNanos / 8, LONGEST_RETRY_NANOS), NANOS_PER_MILLI);
        plannedNanos = timing.random().nextLong(longest / 2, longest + 1);
        plannedFrom = now;
    }

    boolean isExtensionDue(Moment now) {
        return plannedFrom.nanosUntil(now) >= plannedNanos;
    }

    boolean isAtRisk(long leftNanos) {
        return leftNanos <= renewedNanos / 2;
    }

    boolean isLost(long leftNanos) {
        return leftNanos <= lossMarginNanos;
    }

    boolean isArmed() {
        return timer != null;
    }

    /**
     * Sets the timer to the next event.
     *
     * @param reportsRisk whether the lease is not at risk yet
     * @param mayExtend whether an extension may start when it is due
     */
    void arm(Moment now, long leftNanos, boolean reportsRisk, boolean mayExtend) {
        if (timer != null) {
            timer.cancel();
        }
        if (ended) {
            return;
        }
        long next = leftNanos - lossMarginNanos;
        if (reportsRisk) {
            next = Math.min(next, leftNanos - renewedNanos / 2);
        }
        if (mayExtend) {
            next = Math.min(next, plannedNanos - plannedFrom.nanosUntil(now));
        }
        armed = now;
        armedNanos = Math.max(next, 0);
        timer = timing.scheduler().schedule(armedNanos, this);
    }

    /** Stops the timer for good. */
    void end() {
        ended = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Handles the timer. */
    @Override
    public void run() {
        executor.execute(this::tick);
    }

    private void tick() {
        if (!ended) {
            long late = armed.nanosUntil(timing.now()) - armedNanos;
            listener.due(late > LATE_NANOS ? late / NANOS_PER_MILLI : 0);
        }
    }
}
