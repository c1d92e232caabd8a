package dev.holdfast.internal.report;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long no majority has answered a waiting attempt, reports it to the alarm, and notifies the attempt when the limit has passed. Time in
 * which this process did not run does not count: the nodes may have answered in that time. Accessed only on the attempt's serial executor.
 */
public final class NoQuorumWatch {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long STEP_NANOS = NANOS_PER_SECOND;
    private static final long WARN_NANOS = 5 * NANOS_PER_SECOND;

    private final Timing timing;
    private final NoQuorumAlarm alarm;
    private final SerialExecutor executor;
    private final String lock;
    private final Supplier<List<NodeReport>> reports;
    private final Runnable starved;
    private @Nullable Timer timer;
    private Moment stepBegun;
    private long stepNanos;
    private long missingNanos;

    /**
     * Makes a watch that measures nothing yet.
     *
     * @param lock the lock's name, for the log
     * @param reports the latest answers of the nodes
     * @param starved runs on the serial executor each time that no majority has answered for the client's noQuorumTimeout
     */
    public NoQuorumWatch(
            Timing timing,
            NoQuorumAlarm alarm,
            SerialExecutor executor,
            String lock,
            Supplier<List<NodeReport>> reports,
            Runnable starved) {
        this.timing = timing;
        this.alarm = alarm;
        this.executor = executor;
        this.lock = lock;
        this.reports = reports;
        this.starved = starved;
        this.stepBegun = timing.now();
    }

    /** Notes that a majority answers. */
    public void answered() {
        stop();
        missingNanos = 0;
    }

    /** Notes that nodes have failed to answer, and that those that do answer are no majority. */
    public void missing() {
        if (timer == null) {
            step();
        }
    }

    private void step() {
        stepBegun = timing.now();
        long toWarning = missingNanos < WARN_NANOS ? WARN_NANOS - missingNanos : STEP_NANOS;
        stepNanos = Math.min(Math.min(STEP_NANOS, toWarning), alarm.timeoutNanos() - missingNanos);
        timer = timing.scheduler().schedule(stepNanos, () -> executor.execute(this::stepEnds));
    }

    private void stepEnds() {
        if (timer == null) {
            return; // a majority has answered, or the attempt has ended, while this step was under way
        }
        boolean ran = stepBegun.nanosUntil(timing.now()) < stepNanos + STEP_NANOS / 2;
        missingNanos += ran ? stepNanos : 0;
        if (missingNanos >= WARN_NANOS) {
            alarm.missing(lock, missingNanos, reports.get());
        }
        boolean tooLong = missingNanos >= alarm.timeoutNanos();
        missingNanos = tooLong ? 0 : missingNanos;
        step();
        if (tooLong) {
            starved.run();
        }
    }

    /** Stops measuring. */
    public void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
