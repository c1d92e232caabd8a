package dev.holdfast.time;

import java.util.random.RandomGenerator;

/**
 * The sources of time, scheduling and randomness that Holdfast uses.
 *
 * @param ticker the clocks
 * @param scheduler timers and workers
 * @param random the source of jitter and client ids; it must be safe for use by many threads
 */
public record Timing(Ticker ticker, Scheduler scheduler, RandomGenerator random) {

    /**
     * Returns the machine's clocks, one daemon timer thread, daemon workers that start on demand, and a secure source of randomness.
     *
     * @param threadName the beginning of the names of all threads
     */
    public static Timing system(String threadName) {
        return new Timing(Ticker.system(), new SystemScheduler(threadName), new SystemRandom());
    }

    public Moment now() {
        return ticker.now();
    }
}
