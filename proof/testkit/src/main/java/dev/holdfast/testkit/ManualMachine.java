package dev.holdfast.testkit;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A machine of a {@link ManualTiming}. It has two clocks, which a test can step or let drift, and timers and workers.
 * Thread-safe, but only one thread moves its time.
 */
public final class ManualMachine {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_BEFORE_WRAP = 3_000_000_000L;
    private static final Instant WALL_START = Instant.parse("2026-01-01T12:00:00Z");
    private static final long MILLION = 1_000_000;

    /** The longest delay: longer differences on the monotonic clock are ambiguous. */
    private static final long LONGEST_DELAY = Long.MAX_VALUE / 4;

    /** The queue drops its cancelled timers when there are this many, and at least as many as pending ones. */
    private static final int CANCELLED_KEPT = 64;

    private enum State {
        RUNS,
        PAUSED,
        SUSPENDED,
        FROZEN,
    }

    private final ManualTiming world;
    private final String name;
    private final Queue<ManualTimer> timers = new PriorityQueue<>(Comparator.naturalOrder());
    private final Deque<Runnable> missed = new ArrayDeque<>();
    private final Clocks clocks = new Clocks();
    private final Workers workers = new Workers();
    private State state = State.RUNS;
    private boolean closed;
    private int pending;
    private BiConsumer<String, Runnable> threads;

    // the clocks at the time when the world's clock was at `since`; they advance from there
    private long since;
    private long nanosThen = Long.MAX_VALUE - NANOS_BEFORE_WRAP;
    private long wallNanosThen = WALL_START.toEpochMilli() * NANOS_PER_MILLI;
    private int driftPpm;

    ManualMachine(ManualTiming world, String name) {
        this.world = world;
        this.name = name;
        this.threads = (thread, task) -> world.execute(this, task);
    }

    /**
     * Sets how to run tasks that need a thread of their own, from the thread's name and the task. By default, the
     * thread that moves time runs them, so they must not block it. Real threads run outside the time of this world, so
     * a test must wait for them.
     */
    public void threads(BiConsumer<String, Runnable> starter) {
        threads = starter;
    }

    /** Returns the timing for code under test. */
    public Timing timing() {
        return new Timing(clocks, workers, world.random());
    }

    // ---- faults of a machine

    /** Steps the wall clock forward, or back if negative. The monotonic clock and the timers don't change. */
    public void stepWall(Duration step) {
        synchronized (world) {
            wallNanosThen += step.toNanos();
        }
    }

    /**
     * Makes both clocks run too fast from now on, or too slow.
     *
     * @param partsPerMillion the drift; negative is slow; between plus and minus a hundred thousand, which is 10 %
     */
    public void drift(int partsPerMillion) {
        if (Math.abs(partsPerMillion) > MILLION / 10) {
            throw new IllegalArgumentException("a drift of " + partsPerMillion
                    + " ppm is out of range; it must be between -100000 and 100000 ppm");
        }
        synchronized (world) {
            settle();
            driftPpm = partsPerMillion;
        }
    }

    /** Suspends the machine while the world goes on: its monotonic clock and its timers stop; the wall clock runs. */
    public void suspend(Duration length) {
        suspend();
        world.advance(length);
        resume();
    }

    /** Suspends the machine until it is resumed. */
    public void suspend() {
        become(State.SUSPENDED);
    }

    /** Freezes the machine while the world goes on: both clocks stop, and later continue from where they were. */
    public void freeze(Duration length) {
        freeze();
        world.advance(length);
        resume();
        world.advance(Duration.ZERO);
    }

    /** Freezes the machine until it is resumed. */
    public void freeze() {
        become(State.FROZEN);
    }

    /**
     * Pauses the process for this long: both clocks run, but the process does nothing. At the end it catches up on its
     * missed work.
     */
    public void pause(Duration length) {
        pause();
        world.advance(length);
        resume();
        world.advance(Duration.ZERO);
    }

    /** Pauses the process until it is resumed. */
    public void pause() {
        become(State.PAUSED);
    }

    /** Resumes the process, which catches up on its missed work as soon as time is moved. */
    public void resume() {
        synchronized (world) {
            become(State.RUNS);
            missed.forEach(task -> world.execute(this, task));
            missed.clear();
        }
    }

    /** Returns whether the machine is neither paused nor suspended nor frozen. */
    public boolean runs() {
        synchronized (world) {
            return state == State.RUNS;
        }
    }

    private void become(State next) {
        synchronized (world) {
            settle();
            state = next;
        }
    }

    /** Returns the number of pending timers. */
    public int pendingTimers() {
        synchronized (world) {
            return pending;
        }
    }

    /** Returns whether its scheduler was closed. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return name;
    }

    // ---- its clocks; all methods below are called with the world's lock held

    private long nanos() {
        boolean stands = state == State.SUSPENDED || state == State.FROZEN;
        return nanosThen + (stands ? 0 : drifted(world.elapsedNanos() - since));
    }

    private long wallNanos() {
        return wallNanosThen + (state == State.FROZEN ? 0 : drifted(world.elapsedNanos() - since));
    }

    private void settle() {
        long nanosNow = nanos();
        wallNanosThen = wallNanos();
        nanosThen = nanosNow;
        since = world.elapsedNanos();
    }

    /** Returns how far this machine's clocks advance in this much of the world's time. */
    private long drifted(long length) {
        return driftPpm == 0 ? length : length + length / MILLION * driftPpm + length % MILLION * driftPpm / MILLION;
    }

    /** Returns the least time in which this machine's clocks advance this far. */
    private long undrifted(long length) {
        if (driftPpm == 0) {
            return length;
        }
        long time = length - (long) ((double) length * driftPpm / (MILLION + driftPpm));
        while (drifted(time) < length) {
            time++;
        }
        return time;
    }

    /** Returns the timer that is due first; {@code null} while the machine does nothing. */
    @Nullable
    ManualTimer next() {
        if (state != State.RUNS) {
            return null;
        }
        ManualTimer first = timers.peek();
        while (first != null && first.done) {
            timers.remove();
            first = timers.peek();
        }
        return first;
    }

    /** Keeps a task that became due while the machine does nothing. */
    void miss(Runnable task) {
        missed.add(task);
    }

    private final class Clocks implements Ticker {

        @Override
        public long nanos() {
            synchronized (world) {
                return ManualMachine.this.nanos();
            }
        }

        @Override
        public long wallMillis() {
            synchronized (world) {
                return Math.floorDiv(wallNanos(), NANOS_PER_MILLI);
            }
        }
    }

    private final class Workers implements Scheduler {

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            synchronized (world) {
                long due = nanos() + Math.min(Math.max(delayNanos, 0), LONGEST_DELAY);
                ManualTimer timer = new ManualTimer(due, world.nextTimerNumber(), task);
                if (!closed) {
                    timers.add(timer);
                    pending++;
                }
                return timer;
            }
        }

        @Override
        public void execute(Runnable task) {
            world.execute(ManualMachine.this, task);
        }

        @Override
        public void start(String name, Runnable task) {
            threads.accept(name, task);
        }

        @Override
        public void close() {
            synchronized (world) {
                closed = true;
                timers.clear();
                pending = 0;
            }
        }
    }

    /** A task and the time at which it is due. */
    final class ManualTimer implements Timer, Comparable<ManualTimer> {

        final long number;
        private final long due;
        private final Runnable task;
        private boolean done;

        ManualTimer(long due, long number, Runnable task) {
            this.due = due;
            this.number = number;
            this.task = task;
        }

        /** Returns how long until it is due, by the world's clock; negative if it is late. */
        long inNanos() {
            long left = due - nanos();
            return left <= 0 ? left : undrifted(left);
        }

        void run() {
            synchronized (world) {
                if (!leave()) {
                    return;
                }
            }
            task.run();
        }

        @Override
        public void cancel() {
            synchronized (world) {
                if (leave() && timers.size() > 2 * pending + CANCELLED_KEPT) {
                    timers.removeIf(timer -> timer.done);
                }
            }
        }

        private boolean leave() {
            if (done || closed) {
                return false;
            }
            done = true;
            pending--;
            return true;
        }

        @Override
        public int compareTo(ManualTimer other) {
            int byDue = Long.signum(due - other.due);
            return byDue != 0 ? byDue : Long.compare(number, other.number);
        }
    }
}
