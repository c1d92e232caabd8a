package dev.holdfast.time;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A timeout for an answer of another process, which counts only the time in which this process ran. This class is thread-safe.
 *
 * <p>A process that is stopped, collects garbage or gets no processor leaves answers unread, and its timers fire late. Afterwards it would at once
 * blame the other side for the missing answer. So this class counts the time in parts, and gives the reader of the answers a turn after each part. A
 * part that ended late, or whose turn was late, does not count, since the process did not run in it (docs/decisions/0033). A process that runs
 * normally notices the end of the timeout exactly at its time.
 */
public final class RunningTimeout implements Timer {

    /** The longest wait of a process that never runs well, as a multiple of the timeout, in addition to the delay of its timers. */
    public static final int LONGEST_FACTOR = 5;

    /** The same multiple while a process connects. A starting process has classes to load, and runs slowest then. */
    public static final int LONGEST_CONNECT_FACTOR = 10;

    /**
     * The longest time that the timeout waits for a turn of the reader. Until its turn, the reader has not looked for the answer, so the other side
     * is not to blame, however short the timeout is. A process that starts on a busy machine may take half a minute to load its classes.
     */
    public static final Duration LONGEST_TURN = Duration.ofMinutes(1);

    private static final int PARTS = 8;
    private static final int LATE_SHARE = 8;
    private static final long LEAST_LATE_NANOS = 2_000_000;

    private final Timing timing;
    private final long partNanos;
    private final long turnNanos;
    private final int mostExcused;
    private final Consumer<Runnable> reading;
    private final Runnable task;

    // guarded by this object's monitor
    private int left = PARTS;
    private int excused;
    private long dueNanos;
    private int part; // distinguishes the turn of one part from the next
    private @Nullable Timer timer;
    private boolean over;

    private RunningTimeout(
            Timing timing,
            long nanos,
            int longestFactor,
            Duration longestTurn,
            Consumer<Runnable> reading,
            Runnable task) {
        this.timing = timing;
        this.partNanos = Math.max(nanos, 0) / PARTS;
        this.turnNanos = Math.max(Math.max(nanos, 1) * (longestFactor - 1), longestTurn.toNanos());
        this.mostExcused = (longestFactor - 1) * PARTS;
        this.reading = reading;
        this.task = task;
    }

    /**
     * Starts a timeout.
     *
     * @param nanos the length of the timeout in nanoseconds
     * @param reading runs its argument once the process has read all answers that arrived before; the timeout ends if that takes longer than
     *     {@link #LONGEST_TURN}
     * @param task the task to run at the end of the timeout; it is short and does not block
     */
    public static RunningTimeout start(Timing timing, long nanos, Consumer<Runnable> reading, Runnable task) {
        return new RunningTimeout(timing, nanos, LONGEST_FACTOR, LONGEST_TURN, reading, task).begun(nanos);
    }

    /**
     * Starts a timeout for a caller that has a deadline. The timeout ends after {@link #LONGEST_FACTOR} times its length at the latest, even if the
     * reader has not read the answers by then.
     */
    public static RunningTimeout startBrief(Timing timing, long nanos, Consumer<Runnable> reading, Runnable task) {
        return new RunningTimeout(timing, nanos, LONGEST_FACTOR, Duration.ZERO, reading, task).begun(nanos);
    }

    /** Starts a timeout for connecting. */
    public static RunningTimeout startConnecting(Timing timing, long nanos, Consumer<Runnable> reading, Runnable task) {
        return new RunningTimeout(timing, nanos, LONGEST_CONNECT_FACTOR, LONGEST_TURN, reading, task).begun(nanos);
    }

    private RunningTimeout begun(long nanos) {
        next(nanos - partNanos * (PARTS - 1)); // the first part includes the remainder
        return this;
    }

    private synchronized void next(long nanos) {
        if (!over) {
            part++;
            int current = part;
            dueNanos = timing.ticker().nanos() + nanos;
            timer = timing.scheduler().schedule(nanos, () -> giveTurn(current));
        }
    }

    private void giveTurn(int current) {
        synchronized (this) {
            if (over) {
                return;
            }
            timer = timing.scheduler().schedule(turnNanos, () -> turnEnded(current, false)); // if the turn never runs
        }
        reading.accept(() -> turnEnded(current, true));
    }

    private void turnEnded(int current, boolean taken) {
        boolean isEnd;
        synchronized (this) {
            if (over || current != part) {
                return;
            }
            if (timer != null) {
                timer.cancel();
            }
            long late = timing.ticker().nanos() - dueNanos;
            if (late > Math.max(partNanos / LATE_SHARE, LEAST_LATE_NANOS) && taken && excused < mostExcused) {
                excused++;
            } else {
                left--;
            }
            isEnd = left == 0 || !taken;
            over = isEnd;
        }
        if (isEnd) {
            task.run();
        } else {
            next(partNanos);
        }
    }

    /** Ends the timeout without running its task, because the answer has arrived. */
    @Override
    public synchronized void cancel() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
