/**
 * Clocks, timers, worker threads and randomness.
 *
 * <p>Nothing else in Holdfast reads a clock, sleeps, starts a thread or draws a random number. A simulator or a test that replaces these few types
 * controls the time and the order of events, and gets the same run from the same seed.
 */
@NullMarked
package dev.holdfast.time;

import org.jspecify.annotations.NullMarked;
