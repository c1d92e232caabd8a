package dev.holdfast.torture.fault;

import java.time.Duration;
import java.util.Random;

/** The lengths of faults, for a longest ttl of two seconds. */
final class Lengths {

    private Lengths() {}

    static Duration between(Random random, int leastMillis, int mostMillis) {
        return Duration.ofMillis(random.nextInt(leastMillis, mostMillis + 1));
    }

    /** Returns a length that is too short for a lease to end. */
    static Duration blink(Random random) {
        return between(random, 20, 400);
    }

    /** Returns a length from less than a ttl to more than the longest ttl. */
    static Duration aroundTtl(Random random) {
        return between(random, 300, 3_500);
    }

    /** Returns a length beyond the longest ttl. */
    static Duration beyondTtl(Random random) {
        return between(random, 2_300, 4_000);
    }

    /** Returns a step of a clock, forward or back: from one that clients need not notice to one beyond any ttl. */
    static Duration step(Random random) {
        Duration step = between(random, 5, 4_000);
        return random.nextBoolean() ? step : step.negated();
    }
}
