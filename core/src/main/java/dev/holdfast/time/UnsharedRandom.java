package dev.holdfast.time;

import java.util.random.RandomGenerator;

/**
 * A source of randomness that draws {@link #nextLong()} and {@link #nextInt(int)} from the operating system each time, so that copies of one
 * process, such as those that are restored from one snapshot, draw different numbers.
 */
public interface UnsharedRandom extends RandomGenerator {}
