/**
 * The Micrometer integration of a client: {@link dev.holdfast.micrometer.HoldfastMetrics} records metrics, {@link
 * dev.holdfast.micrometer.HoldfastObservations} records spans.
 */
@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
