/**
 * Distributed locks that stay honest: where users of Holdfast start.
 *
 * <p>Start at {@link dev.holdfast.Holdfast}; a {@link dev.holdfast.lock.DistributedLock} is a name and settings, a
 * {@link dev.holdfast.lock.Lease} is the lock while it is held.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
