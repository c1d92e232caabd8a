/**
 * Observers of a client: {@link dev.holdfast.observe.ClientObserver} sees attempts, leases, extensions and requests as they begin and end. Metrics, traces
 * and the events of Java Flight Recorder are made of them.
 */
@NullMarked
package dev.holdfast.observe;

import org.jspecify.annotations.NullMarked;
