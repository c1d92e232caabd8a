package dev.holdfast.time;

import java.util.random.RandomGenerator;

/**
 * A source of randomness that copies of one process do not share. It draws {@link #nextLong()} and {@link #nextInt(int)} from the operating system
 * each time. So copies of one process draw different numbers, even if they are restored from one snapshot.
 */
public interface UnsharedRandom extends RandomGenerator {}
