/**
 * Notifies the {@link dev.holdfast.observe.ClientObserver}s of a client, one of which records events of Java Flight Recorder.
 *
 * <p>Internal: not part of the supported API.
 */
@NullMarked
package dev.holdfast.internal.observe;

import org.jspecify.annotations.NullMarked;
