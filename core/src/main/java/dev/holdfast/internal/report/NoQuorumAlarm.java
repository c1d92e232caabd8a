package dev.holdfast.internal.report;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Logs that no majority of nodes answers: once for all attempts of a client, and again at growing intervals. Logs when a majority answers again.
 * Thread-safe.
 */
public final class NoQuorumAlarm {

    private static final System.Logger LOG = System.getLogger(NoQuorumAlarm.class.getName());
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long FIRST_INTERVAL_NANOS = 10 * NANOS_PER_SECOND;
    private static final long LONGEST_INTERVAL_NANOS = 300 * NANOS_PER_SECOND;

    private final Ticker ticker;
    private final int majority;
    private final long timeoutNanos;
    private volatile boolean raised;
    private Moment loggedAt;
    private Moment raisedAt;
    private long lackedNanos; // how long no majority had answered when the alarm was raised
    private long intervalNanos;

    /**
     * Makes an alarm that is not raised.
     *
     * @param majority how many nodes are a majority
     * @param timeoutNanos how long an attempt without a limit waits while no majority answers, {@link Long#MAX_VALUE} for no limit
     */
    public NoQuorumAlarm(Ticker ticker, int majority, long timeoutNanos) {
        this.majority = majority;
        this.timeoutNanos = timeoutNanos;
        this.ticker = ticker;
        this.loggedAt = ticker.now();
        this.raisedAt = loggedAt;
    }

    /** Returns how many nodes are a majority. */
    int majority() {
        return majority;
    }

    /** Returns how long an attempt without a limit waits while no majority answers. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    /** Notes that no majority has answered an attempt for this lock for this long. */
    public synchronized void missing(String lock, long nanos, List<NodeReport> nodes) {
        Moment now = ticker.now();
        if (raised && loggedAt.nanosUntil(now) < intervalNanos) {
            return;
        }
        intervalNanos = raised ? Math.min(intervalNanos * 2, LONGEST_INTERVAL_NANOS) : FIRST_INTERVAL_NANOS;
        if (!raised) {
            raisedAt = now;
            lackedNanos = nanos;
        }
        raised = true;
        loggedAt = now;
        long allNanos = lackedNanos + raisedAt.nanosUntil(now); // over all attempts: candidates begin new ones
        long answering = nodes.stream().filter(node -> node.kind().isAnswer()).count();
        LOG.log(
                Level.WARNING,
                "Lock ''{0}'' waits without a majority for {1} s: {2} of {3} nodes answer, {4} are needed {5}{6}",
                lock,
                nanos / NANOS_PER_SECOND,
                answering,
                nodes.size(),
                majority,
                nodes,
                allNanos - nanos < NANOS_PER_SECOND
                        ? ""
                        : "; no majority has answered this client for " + allNanos / NANOS_PER_SECOND + " s");
    }

    /** Notes that a majority has answered an attempt. */
    public void answered() {
        if (raised) {
            logEnd();
        }
    }

    private synchronized void logEnd() {
        if (raised) {
            raised = false;
            LOG.log(Level.INFO, "A majority of nodes answers again");
        }
    }
}
