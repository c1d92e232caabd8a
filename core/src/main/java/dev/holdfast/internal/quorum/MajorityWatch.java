package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts for how long an attempt that waits has had no answers from a majority of nodes, has that logged, and says when it is too long. Time in which this
 * process did not run does not count: the nodes may have answered meanwhile. Accessed only on the attempt's serial executor.
 */
final class MajorityWatch {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long STEP_NANOS = NANOS_PER_SECOND;
    private static final long WARN_NANOS = 5 * NANOS_PER_SECOND;

    private final Quorum quorum;
    private final SerialExecutor executor;
    private final String lock;
    private final Supplier<List<NodeReport>> reports;
    private final Runnable starved;
    private @Nullable Timer timer;
    private Moment stepBegun;
    private long stepNanos;
    private long lackingNanos;

    /**
     * Counts nothing yet.
     *
     * @param reports the latest answers of the nodes
     * @param starved run on the serial executor each time that no majority has answered for the client's noQuorumTimeout
     */
    MajorityWatch(
            Quorum quorum, SerialExecutor executor, String lock, Supplier<List<NodeReport>> reports, Runnable starved) {
        this.quorum = quorum;
        this.executor = executor;
        this.lock = lock;
        this.reports = reports;
        this.starved = starved;
        this.stepBegun = quorum.timing().now();
    }

    /** A majority answers, by their latest answers. */
    void answered() {
        stop();
        lackingNanos = 0;
    }

    /** Nodes have failed to answer, and those that do are no majority. */
    void lacks() {
        if (timer == null) {
            step();
        }
    }

    private void step() {
        stepBegun = quorum.timing().now();
        long toWarning = lackingNanos < WARN_NANOS ? WARN_NANOS - lackingNanos : STEP_NANOS;
        stepNanos = Math.min(Math.min(STEP_NANOS, toWarning), quorum.noQuorumNanos() - lackingNanos);
        timer = quorum.timing().scheduler().schedule(stepNanos, () -> executor.execute(this::stepEnds));
    }

    private void stepEnds() {
        if (timer == null) {
            return; // a majority has answered, or the attempt has ended, while this was on its way
        }
        boolean ran = stepBegun.nanosUntil(quorum.timing().now()) < stepNanos + STEP_NANOS / 2;
        lackingNanos += ran ? stepNanos : 0;
        if (lackingNanos >= WARN_NANOS) {
            quorum.alarm().lacks(lock, lackingNanos, reports.get());
        }
        boolean tooLong = lackingNanos >= quorum.noQuorumNanos();
        lackingNanos = tooLong ? 0 : lackingNanos;
        step();
        if (tooLong) {
            starved.run();
        }
    }

    /** The attempt has ended, or need not be watched for now. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
