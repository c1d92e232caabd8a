/**
 * What only Holdfast's own code needs of time: clocks that follow steps of the wall clock, adaptive spinning, and durations as text.
 *
 * <p>Internal: no part of the promised API.
 */
@NullMarked
package dev.holdfast.internal.time;

import org.jspecify.annotations.NullMarked;
