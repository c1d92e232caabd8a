/**
 * Observers of a client: {@link dev.holdfast.observe.ClientObserver} sees attempts, leases, extensions and requests as they begin and end. Holdfast
 * derives metrics, traces and the events of Java Flight Recorder from these observers.
 */
@NullMarked
package dev.holdfast.observe;

import org.jspecify.annotations.NullMarked;
