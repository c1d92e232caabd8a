package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A thread's task that strikes with one fault after the other until its time ends. It works in rounds, in which each
 * fault comes once, in an order drawn from the seed. For one thread.
 */
public final class Striker implements Runnable {

    private final World world;
    private final List<Fault> faults;
    private final Random random;
    private final Duration longestRest;
    private final long endNanos;
    private final List<Strike> strikes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Creates a striker that has done nothing yet.
     *
     * @param longestRest the longest pause between two strikes
     * @param endNanos the time from which no new strike begins
     */
    public Striker(World world, List<Fault> faults, Random random, Duration longestRest, long endNanos) {
        this.world = world;
        this.faults = faults;
        this.random = random;
        this.longestRest = longestRest;
        this.endNanos = endNanos;
    }

    @Override
    public void run() {
        List<Fault> round = new ArrayList<>();
        try {
            while (System.nanoTime() - endNanos < 0) {
                if (round.isEmpty()) {
                    round.addAll(faults);
                    Collections.shuffle(round, random);
                }
                strike(round.remove(round.size() - 1));
                world.rest(Lengths.between(random, 0, (int) longestRest.toMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void strike(Fault fault) throws InterruptedException {
        long from = System.nanoTime();
        try {
            fault.strike(world, new Random(random.nextLong()));
        } catch (RuntimeException e) {
            problems.add("fault '" + fault.name() + "' could not be carried out: " + e);
        }
        strikes.add(new Strike(fault.name(), from, System.nanoTime()));
    }

    /** Returns the strikes, after the end. */
    public List<Strike> strikes() {
        return List.copyOf(strikes);
    }

    /** Returns the faults that failed, after the end. */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
