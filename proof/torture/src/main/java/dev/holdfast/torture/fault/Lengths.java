package dev.holdfast.torture.fault;

import java.time.Duration;
import java.util.Random;

/** How long faults last, against a longest ttl of two seconds. */
final class Lengths {

    private Lengths() {}

    static Duration between(Random random, int leastMillis, int mostMillis) {
        return Duration.ofMillis(random.nextInt(leastMillis, mostMillis + 1));
    }

    /** Too short for a lease to end. */
    static Duration blink(Random random) {
        return between(random, 20, 400);
    }

    /** From shorter than a ttl to longer than the longest. */
    static Duration aroundTtl(Random random) {
        return between(random, 300, 3_500);
    }

    /** Longer than the longest ttl. */
    static Duration beyondTtl(Random random) {
        return between(random, 2_300, 4_000);
    }

    /** By how much a clock is set, forward or back: from what nobody need notice to more than any ttl. */
    static Duration step(Random random) {
        Duration step = between(random, 5, 4_000);
        return random.nextBoolean() ? step : step.negated();
    }
}
