/**
 * Where callers' threads meet the asynchronous inside: blocking on a future, work under a lease, a thread's leases, and steps that run one after
 * the other.
 *
 * <p>Internal: no part of the promised API.
 */
@NullMarked
package dev.holdfast.internal.thread;

import org.jspecify.annotations.NullMarked;
