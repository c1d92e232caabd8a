package dev.holdfast.testkit;

import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Time that moves only when a test moves it, for any number of machines, each with clocks of its own.
 *
 * <p>Timers run when {@link #advance} reaches them, in the order of their times. Worker tasks run in the order in which
 * they were submitted. All of this happens on the thread that advances time, one step after another. A test that moves
 * time from one thread is therefore deterministic. Any thread may use a machine. Random numbers come from the seed.
 */
public final class ManualTiming {

    /** Longer than any test means to wait; a wait of this length counts as endless. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(2);

    private record Task(ManualMachine machine, Runnable work) {}

    private final List<ManualMachine> machines = new ArrayList<>();
    private final Deque<Task> tasks = new ArrayDeque<>();
    private final RandomGenerator random;
    private final ManualMachine first;
    private long elapsedNanos;
    private long timersMade;

    /** Creates a time at its beginning, with one machine. */
    public ManualTiming(long seed) {
        AtomicLong state = new AtomicLong(seed);
        this.random = () -> mixed(state.addAndGet(0x9E3779B97F4A7C15L));
        this.first = machine("first");
    }

    /**
     * Returns the mix of a number by SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
     * generators").
     */
    private static long mixed(long z) {
        long once = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
        return twice ^ (twice >>> 31);
    }

    /** Returns the first machine's clocks, timers and random numbers. */
    public Timing timing() {
        return first.timing();
    }

    /** Returns the first machine, which exists from the beginning. */
    public ManualMachine machine() {
        return first;
    }

    /**
     * Creates another machine. Its monotonic clock wraps around within a few seconds; its wall clock starts at noon of
     * 1 January 2026.
     */
    public synchronized ManualMachine machine(String name) {
        ManualMachine machine = new ManualMachine(this, name);
        machines.add(machine);
        return machine;
    }

    /** Returns how much time has passed. */
    public synchronized Duration elapsed() {
        return Duration.ofNanos(elapsedNanos);
    }

    RandomGenerator random() {
        return random;
    }

    // ---- moving

    /** Lets time pass, and runs everything that becomes due in it. */
    public void advance(Duration length) {
        long end = elapsedNanos() + length.toNanos();
        drain();
        while (step(end - elapsedNanos())) {
            drain();
        }
        move(end - elapsedNanos());
        drain();
    }

    /** Runs the pending worker tasks and those that they submit; no time passes. */
    public void drain() {
        Runnable task = nextTask();
        while (task != null) {
            task.run();
            task = nextTask();
        }
    }

    /**
     * Lets time pass, timer by timer, until the condition holds; {@code false} if it never does within {@code longest}.
     */
    public boolean runUntil(BooleanSupplier condition, Duration longest) {
        long end = elapsedNanos() + longest.toNanos();
        drain();
        while (!condition.getAsBoolean()) {
            if (!step(end - elapsedNanos())) {
                return false;
            }
            drain();
        }
        return true;
    }

    /**
     * Lets time pass until the stage is complete.
     *
     * @return its value; fails as {@link CompletableFuture#join} does if the stage failed
     */
    public <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!runUntil(future::isDone, LONGEST_WAIT)) {
            throw new AssertionError(
                    "nothing is left to happen within " + LONGEST_WAIT + ", and " + stage + " is not complete");
        }
        return future.join();
    }

    /** Runs the next timer if it is due within that time. */
    private boolean step(long longestNanos) {
        ManualMachine.ManualTimer timer = nextTimer(longestNanos);
        if (timer == null) {
            return false;
        }
        move(Math.max(timer.inNanos(), 0));
        timer.run();
        return true;
    }

    private synchronized ManualMachine.@Nullable ManualTimer nextTimer(long longestNanos) {
        ManualMachine.ManualTimer next = null;
        long nextIn = longestNanos;
        for (ManualMachine machine : machines) {
            ManualMachine.ManualTimer timer = machine.next();
            if (timer != null) {
                long in = Math.max(timer.inNanos(), 0);
                if (in < nextIn || (in == nextIn && (next == null || timer.number < next.number))) {
                    next = timer;
                    nextIn = in;
                }
            }
        }
        return next;
    }

    private synchronized @Nullable Runnable nextTask() {
        Task task = tasks.poll();
        while (task != null && !task.machine.runs()) {
            task.machine.miss(task.work);
            task = tasks.poll();
        }
        return task == null ? null : task.work;
    }

    private synchronized void move(long nanos) {
        elapsedNanos += nanos;
    }

    synchronized long elapsedNanos() {
        return elapsedNanos;
    }

    // ---- for machines

    synchronized void execute(ManualMachine machine, Runnable work) {
        tasks.add(new Task(machine, work));
    }

    synchronized long nextTimerNumber() {
        return ++timersMade;
    }
}
