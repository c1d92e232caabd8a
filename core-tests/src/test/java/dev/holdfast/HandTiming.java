package dev.holdfast;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Time that is moved by hand, and timers and workers that any thread of an experiment may run. It has few steps, because Lincheck switches between threads at
 * every step. Thread-safe.
 */
public final class HandTiming implements Ticker, Scheduler {

    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final Queue<Alarm> alarms = new ConcurrentLinkedQueue<>();
    private volatile long millis = 1_000_000_000;
    private long chance = 1;

    /** The timing that code under test receives. Its random numbers are a fixed sequence. */
    public Timing timing() {
        return new Timing(this, this, this::nextChance);
    }

    private synchronized long nextChance() {
        chance = chance * 6364136223846793005L + 1442695040888963407L;
        return chance;
    }

    /** Lets this time pass; timers wait until the test fires them. */
    public void pass(long lengthMillis) {
        millis += lengthMillis;
    }

    /** Runs the timers that are due, and any that these start and that are due too. */
    public void fireDue() {
        for (Alarm alarm = due(); alarm != null; alarm = due()) {
            alarm.task.run();
        }
    }

    private synchronized Alarm due() {
        for (Alarm alarm : alarms) {
            if (alarm.nanos <= nanos()) {
                alarms.remove(alarm);
                return alarm;
            }
        }
        return null;
    }

    /** Returns how many timers wait. */
    public synchronized int pending() {
        return alarms.size();
    }

    /** Runs the tasks of the workers until there are none. */
    public void work() {
        for (Runnable task = work.poll(); task != null; task = work.poll()) {
            task.run();
        }
    }

    @Override
    public long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return millis;
    }

    @Override
    public synchronized Timer schedule(long delayNanos, Runnable task) {
        Alarm alarm = new Alarm(nanos() + Math.max(delayNanos, 0), task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    @Override
    public void execute(Runnable task) {
        work.add(task);
    }

    @Override
    public void start(String name, Runnable task) {
        execute(task);
    }

    @Override
    public synchronized void close() {
        alarms.clear();
    }

    /** Compared by identity, as timers are. */
    private static final class Alarm {

        final long nanos;
        final Runnable task;

        Alarm(long nanos, Runnable task) {
            this.nanos = nanos;
            this.task = task;
        }
    }
}
