/**
 * The parts of time that only Holdfast's own code needs: clocks that follow steps of the wall clock, adaptive spinning, and durations as text.
 *
 * <p>Internal: not part of the supported API.
 */
@NullMarked
package dev.holdfast.internal.time;

import org.jspecify.annotations.NullMarked;
