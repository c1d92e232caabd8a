package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import org.jspecify.annotations.Nullable;

/**
 * A limit on a wait, on the lingering of a released lease, or on a retention. Every period that a caller sets in this package is a {@code TimeLimit}; the
 * package description lists all time limits of an acquire. Accessed only on its serial executor.
 *
 * <p>When its timer fires, it reads the clock again. A period that has been restarted in the meantime therefore needs no new timer.
 */
final class TimeLimit implements Runnable {

    private final Timing timing;
    private final SerialExecutor executor;
    private final Runnable reached;
    private @Nullable Moment since; // null while stopped
    private long nanos;
    private @Nullable Timer timer;

    /**
     * Creates a limit that is not running.
     *
     * @param reached runs on the executor when the period has passed
     */
    TimeLimit(Timing timing, SerialExecutor executor, Runnable reached) {
        this.timing = timing;
        this.executor = executor;
        this.reached = reached;
    }

    /** Starts the period at this moment. A running period must not be shortened; {@link #cancel} it first. */
    void start(Moment from, long durationNanos) {
        since = from;
        nanos = durationNanos;
        if (timer == null) {
            schedule(durationNanos - from.nanosUntil(timing.now()));
        }
    }

    boolean isRunning() {
        return since != null;
    }

    /** Stops the period, and keeps its timer for the next one. */
    void stop() {
        since = null;
    }

    /** Stops the period and its timer. */
    void cancel() {
        since = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void schedule(long delayNanos) {
        timer = timing.scheduler().schedule(Math.max(delayNanos, 0), this);
    }

    /** Handles the timer. */
    @Override
    public void run() {
        executor.execute(this::check);
    }

    private void check() {
        timer = null;
        Moment from = since;
        if (from == null) {
            return;
        }
        long left = nanos - from.nanosUntil(timing.now());
        if (left > 0) {
            schedule(left);
        } else {
            since = null;
            reached.run();
        }
    }
}
