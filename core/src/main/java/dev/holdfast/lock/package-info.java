/**
 * Locks as their users see them: {@link dev.holdfast.lock.DistributedLock}, {@link dev.holdfast.lock.LockOptions}, {@link dev.holdfast.lock.Lease}, outcomes,
 * states and exceptions.
 *
 * <p>The types of this package are interfaces and values. They depend on no other part of Holdfast; all other parts may depend on them.
 */
@NullMarked
package dev.holdfast.lock;

import org.jspecify.annotations.NullMarked;
