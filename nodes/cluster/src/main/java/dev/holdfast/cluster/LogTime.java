package dev.holdfast.cluster;

import dev.holdfast.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The clock of the log: the time in milliseconds that a leader gives to each entry.
 *
 * <p>A leader's log time starts at the time of the last entry that it has applied when it takes office, and advances with its monotonic clock. So log
 * time never runs faster than real time, and stands still while there is no leader: no vote expires early because of an election, and no wall clock
 * matters. The one exception is the first entry of a new cluster, whose time is the leader's wall clock, so that fences continue above those of nodes
 * that the cluster replaces.
 *
 * <p>Not thread-safe, except for {@link #nanos}.
 */
final class LogTime {

    private final Ticker ticker;
    private long startMillis;
    private long startNanos;

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
    }

    /** Returns the monotonic clock of this server, in nanoseconds. Thread-safe. */
    long nanos() {
        return ticker.nanos();
    }

    /** Returns the time for the next entry. */
    long millis() {
        return startMillis + TimeUnit.NANOSECONDS.toMillis(Math.max(ticker.nanos() - startNanos, 0));
    }
}
