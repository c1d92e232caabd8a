package dev.holdfast.internal.quorum;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.List;

/** Logs that no majority of nodes answers, once for all attempts of a client and again at growing intervals; logs when one answers again. Thread-safe. */
final class NoQuorumAlarm {

    private static final System.Logger LOG = System.getLogger(NoQuorumAlarm.class.getName());
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long FIRST_INTERVAL_NANOS = 10 * NANOS_PER_SECOND;
    private static final long LONGEST_INTERVAL_NANOS = 300 * NANOS_PER_SECOND;

    private final Ticker ticker;
    private volatile boolean raised;
    private Moment saidAt;
    private Moment raisedAt;
    private long lackedNanos; // when it was raised
    private long intervalNanos;

    NoQuorumAlarm(Ticker ticker) {
        this.ticker = ticker;
        this.saidAt = ticker.now();
        this.raisedAt = saidAt;
    }

    /** An attempt for this lock has had no majority for so long. */
    synchronized void lacks(String lock, long nanos, List<NodeReport> nodes) {
        Moment now = ticker.now();
        if (raised && saidAt.nanosUntil(now) < intervalNanos) {
            return;
        }
        intervalNanos = raised ? Math.min(intervalNanos * 2, LONGEST_INTERVAL_NANOS) : FIRST_INTERVAL_NANOS;
        if (!raised) {
            raisedAt = now;
            lackedNanos = nanos;
        }
        raised = true;
        saidAt = now;
        long allNanos = lackedNanos + raisedAt.nanosUntil(now); // attempts end, and candidates begin others
        long answering = nodes.stream().filter(node -> node.kind().isAnswer()).count();
        LOG.log(
                Level.WARNING,
                "Lock ''{0}'' waits without a majority for {1} s: {2} of {3} nodes answer, {4} are needed {5}{6}",
                lock,
                nanos / NANOS_PER_SECOND,
                answering,
                nodes.size(),
                Validity.majority(nodes.size()),
                nodes,
                allNanos - nanos < NANOS_PER_SECOND
                        ? ""
                        : "; no majority has answered this client for " + allNanos / NANOS_PER_SECOND + " s");
    }

    /** An attempt has answers from a majority. */
    void answered() {
        if (raised) {
            tellEnd();
        }
    }

    private synchronized void tellEnd() {
        if (raised) {
            raised = false;
            LOG.log(Level.INFO, "A majority of nodes answers again");
        }
    }
}
