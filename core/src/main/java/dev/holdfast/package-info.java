/**
 * The client, where users of Holdfast start.
 *
 * <p>Start at {@link dev.holdfast.Holdfast}. A {@link dev.holdfast.lock.DistributedLock} is a name with options, a
 * {@link dev.holdfast.lock.Lease} is the lock while it is held, and {@link dev.holdfast.HoldfastAdmin} is for operators.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
