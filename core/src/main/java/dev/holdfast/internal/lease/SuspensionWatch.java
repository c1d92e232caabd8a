package dev.holdfast.internal.lease;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch that notices that this process did not run for a while. While a machine is suspended, timers stand still, but the wall clock goes on. After a
 * suspension, all leases check their deadlines at once instead of at their next timer. The watch also logs timers that fire late. Thread-safe.
 */
final class SuspensionWatch {

    private static final System.Logger LOG = System.getLogger(SuspensionWatch.class.getName());
    private static final long PERIOD_NANOS = 1_000_000_000L;
    private static final long QUIET_NANOS = 10_000_000_000L;

    private final Timing timing;
    private final BooleanSupplier needed;
    private final Runnable resumed;
    private volatile @Nullable Timer timer;
    private @Nullable Moment logged;
    private long unlogged;

    /**
     * Creates a watch that is not running.
     *
     * @param needed whether there is a lease to watch over
     * @param resumed runs after a suspension
     */
    SuspensionWatch(Timing timing, BooleanSupplier needed, Runnable resumed) {
        this.timing = timing;
        this.needed = needed;
        this.resumed = resumed;
    }

    /** Starts the watch, unless it is running or not needed. */
    void start() {
        if (timer != null) {
            return;
        }
        synchronized (this) {
            if (timer == null && needed.getAsBoolean()) {
                Moment before = timing.now();
                timer = timing.scheduler().schedule(PERIOD_NANOS, () -> check(before));
            }
        }
    }

    private void check(Moment before) {
        Moment now = timing.now();
        long monotonic = now.nanos() - before.nanos();
        if (before.nanosUntil(now) > monotonic + PERIOD_NANOS / 2) {
            resumed.run();
        }
        synchronized (this) {
            timer = null;
        }
        start();
    }

    /** Logs that a lease's timer fired late. All leases are late together, so it logs at most one message in ten seconds. */
    void timerLate(String name, long lateMillis) {
        long others;
        synchronized (this) {
            Moment now = timing.now();
            if (logged != null && logged.nanosUntil(now) < QUIET_NANOS) {
                unlogged++;
                return;
            }
            logged = now;
            others = unlogged;
            unlogged = 0;
        }
        LOG.log(
                Level.WARNING,
                "The renewal of {0} ran {1} ms late: this process was paused, or has too little CPU;"
                        + " {2} other renewals were late since the last message",
                name,
                lateMillis,
                others);
    }
}
