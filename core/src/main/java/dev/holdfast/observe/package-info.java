/**
 * Watching a client at work: {@link dev.holdfast.observe.ClientObserver} is told of attempts, leases, extensions and requests as they begin and end. What
 * metrics, traces and the events of Java Flight Recorder are made of.
 */
@NullMarked
package dev.holdfast.observe;

import org.jspecify.annotations.NullMarked;
