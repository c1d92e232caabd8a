/**
 * Clocks, timers, worker threads and randomness.
 *
 * <p>Nothing else in Holdfast reads a clock, sleeps, starts a thread or draws a random number. Whoever replaces these few types
 * (a simulator, a test) decides what time it is and in what order things happen, and gets the same run from the same seed.
 */
@NullMarked
package dev.holdfast.time;

import org.jspecify.annotations.NullMarked;
