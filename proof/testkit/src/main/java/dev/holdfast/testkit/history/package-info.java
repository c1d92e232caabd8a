/**
 * A record of what clients did, and a check of whether they were allowed to: events that every client writes, and a
 * checker that reads them all.
 *
 * <p>All times are nanoseconds of one clock that the clients share. Processes of one machine share
 * {@code System.nanoTime} on Linux and macOS, where it is the time since boot; a simulator uses its true time.
 */
@NullMarked
package dev.holdfast.testkit.history;

import org.jspecify.annotations.NullMarked;
