package dev.holdfast.time;

import java.util.random.RandomGenerator;

/**
 * Everything through which Holdfast meets time and chance.
 *
 * @param ticker the clocks
 * @param scheduler timers and workers
 * @param random jitter and client ids; must be safe for use by many threads
 */
public record Timing(Ticker ticker, Scheduler scheduler, RandomGenerator random) {

    /**
     * The machine's own clocks, one daemon timer thread, daemon workers made on demand, and a secure source of randomness.
     *
     * @param threadName the beginning of the names of all threads
     */
    public static Timing system(String threadName) {
        return new Timing(SystemTicker.INSTANCE, new SystemScheduler(threadName), new SystemRandom());
    }

    public Moment now() {
        return ticker.now();
    }
}
