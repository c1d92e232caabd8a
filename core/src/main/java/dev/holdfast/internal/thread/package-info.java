/**
 * The boundary between callers' threads and the asynchronous core: blocking on a future, work under a lease, a thread's leases, and the serial
 * executor.
 *
 * <p>Internal: not part of the supported API.
 */
@NullMarked
package dev.holdfast.internal.thread;

import org.jspecify.annotations.NullMarked;
