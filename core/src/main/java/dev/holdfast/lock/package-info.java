/**
 * The lock as its users see it: what {@link dev.holdfast.lock.DistributedLock} and {@link dev.holdfast.lock.Lease} can do, what an attempt
 * or a question results in, and the exceptions.
 *
 * <p>The types of this package are interfaces and values. They depend on no other part of Holdfast; all other parts may depend on them.
 */
@NullMarked
package dev.holdfast.lock;

import org.jspecify.annotations.NullMarked;
