/**
 * A client in Micrometer: {@link dev.holdfast.micrometer.HoldfastMetrics} counts and measures, {@link dev.holdfast.micrometer.HoldfastObservations} makes spans.
 */
@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
