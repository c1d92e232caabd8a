/**
 * The client, which is the entry point for users of Holdfast.
 *
 * <p>Start at {@link dev.holdfast.Holdfast}. A {@link dev.holdfast.lock.DistributedLock} is a name with options. A {@link dev.holdfast.lock.Lease}
 * represents the lock while it is held. {@link dev.holdfast.HoldfastAdmin} is for operators.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
