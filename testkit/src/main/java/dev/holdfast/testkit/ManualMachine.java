package dev.holdfast.testkit;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine of a {@link ManualTiming}: two clocks, which a test can set apart, timers and workers. Thread-safe; moved by one thread.
 */
public final class ManualMachine {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_BEFORE_WRAP = 3_000_000_000L;
    private static final Instant WALL_START = Instant.parse("2026-01-01T12:00:00Z");

    /** Beyond it, differences on the monotonic clock mean nothing any more. */
    private static final long LONGEST_DELAY = Long.MAX_VALUE / 4;

    private final ManualTiming world;
    private final String name;
    private final List<ManualTimer> timers = new ArrayList<>();
    private final Clocks clocks = new Clocks();
    private final Workers workers = new Workers();
    private long nanos = Long.MAX_VALUE - NANOS_BEFORE_WRAP;
    private long wallMillis = WALL_START.toEpochMilli();
    private long wallNanos; // beyond the milliseconds
    private boolean suspended;
    private boolean paused;
    private boolean closed;

    ManualMachine(ManualTiming world, String name) {
        this.world = world;
        this.name = name;
    }

    /** What code under test is given. */
    public Timing timing() {
        return new Timing(clocks, workers, world.random());
    }

    // ---- what can happen to it

    /** Sets the wall clock forward, or back by a negative step; the monotonic clock and timers notice nothing. */
    public void stepWall(Duration step) {
        synchronized (world) {
            wallMillis += step.toMillis();
        }
    }

    /** The machine sleeps while the world goes on: its monotonic clock stands still, its timers too; the wall clock runs. */
    public void suspend(Duration length) {
        suspended = true;
        world.advance(length);
        suspended = false;
    }

    /** The process stands still for so long: both clocks run, but nothing happens in it; then it does what it has missed. */
    public void pause(Duration length) {
        pause();
        world.advance(length);
        resume();
    }

    /** The process stands still until it is resumed. */
    public void pause() {
        paused = true;
    }

    /** The process goes on, and does what it has missed. */
    public void resume() {
        paused = false;
        world.advance(Duration.ZERO);
    }

    /** How many timers wait for their time. */
    public int pendingTimers() {
        synchronized (world) {
            return timers.size();
        }
    }

    /** Whether its scheduler was closed. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return name;
    }

    // ---- for the world

    boolean runs() {
        return !suspended && !paused;
    }

    List<ManualTimer> timers() {
        return runs() ? timers : List.of();
    }

    void moved(long length) {
        nanos += suspended ? 0 : length;
        wallNanos += length;
        wallMillis += wallNanos / NANOS_PER_MILLI;
        wallNanos %= NANOS_PER_MILLI;
    }

    private final class Clocks implements Ticker {

        @Override
        public long nanos() {
            synchronized (world) {
                return nanos;
            }
        }

        @Override
        public long wallMillis() {
            synchronized (world) {
                return wallMillis;
            }
        }
    }

    private final class Workers implements Scheduler {

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            synchronized (world) {
                long due = nanos + Math.min(Math.max(delayNanos, 0), LONGEST_DELAY);
                ManualTimer timer = new ManualTimer(due, world.nextTimerNumber(), task);
                if (!closed) {
                    timers.add(timer);
                }
                return timer;
            }
        }

        @Override
        public void execute(Runnable task) {
            world.execute(ManualMachine.this, task);
        }

        @Override
        public void close() {
            synchronized (world) {
                closed = true;
                timers.clear();
            }
        }
    }

    /** A task and its time. */
    final class ManualTimer implements Timer {

        final long number;
        private final long due;
        private final Runnable task;

        ManualTimer(long due, long number, Runnable task) {
            this.due = due;
            this.number = number;
            this.task = task;
        }

        long inNanos() {
            return due - nanos;
        }

        void run() {
            synchronized (world) {
                if (!timers.remove(this)) {
                    return;
                }
            }
            task.run();
        }

        @Override
        public void cancel() {
            synchronized (world) {
                timers.remove(this);
            }
        }
    }
}
