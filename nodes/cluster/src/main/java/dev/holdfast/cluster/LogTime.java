package dev.holdfast.cluster;

import dev.holdfast.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The clock of the log: the time in milliseconds that a leader gives to each entry.
 *
 * <p>A leader's log time starts at the time of the last entry that it has applied when it takes office, and advances with its monotonic clock. It stands
 * still while an entry is under way for longer than {@link #LONGEST_COMMIT_NANOS}. So log time never runs faster than real time. No vote or position in a
 * queue expires because the requests that refresh it wait for an election or for a slow disk. And no wall clock matters. The one exception is the first entry
 * of a new cluster, whose time is the leader's wall clock, so that fences continue above those of nodes that the cluster replaces.
 *
 * <p>Not thread-safe, except for {@link #nanos}.
 */
final class LogTime {

    /** The part of the time from an entry's proposal to its commit that counts as log time, in nanoseconds. */
    static final long LONGEST_COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Ticker ticker;
    private long startMillis;
    private long startNanos;
    private boolean waiting; // for the commit of an entry
    private long waitingSinceNanos;

    LogTime(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Starts the time of a leader that has applied all entries of earlier leaders.
     *
     * @param appliedMillis the time of the last applied entry; 0 if the log has none
     */
    void takeOffice(long appliedMillis) {
        startMillis = appliedMillis == 0 ? Math.max(ticker.wallMillis(), 1) : appliedMillis;
        startNanos = ticker.nanos();
        waiting = false;
    }

    /** Notes that an entry is proposed. */
    void proposed() {
        if (!waiting) {
            waiting = true;
            waitingSinceNanos = ticker.nanos();
        }
    }

    /**
     * Notes that an entry is committed. An entry that is given up changes nothing: that nothing can be committed may have been its reason.
     *
     * @param others whether others are under way
     */
    void committed(boolean others) {
        startNanos += stoodStillNanos();
        waiting = others;
        waitingSinceNanos = ticker.nanos();
    }

    private long stoodStillNanos() {
        return waiting ? Math.max(ticker.nanos() - waitingSinceNanos - LONGEST_COMMIT_NANOS, 0) : 0;
    }

    /** Returns the monotonic clock of this server, in nanoseconds. Thread-safe. */
    long nanos() {
        return ticker.nanos();
    }

    /** Returns the time for the next entry. */
    long millis() {
        long elapsed = ticker.nanos() - startNanos - stoodStillNanos();
        return startMillis + TimeUnit.NANOSECONDS.toMillis(Math.max(elapsed, 0));
    }
}
