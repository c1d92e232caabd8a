/**
 * A lease from its grant to its end: renewal, the deadline, the signals of risk and loss.
 *
 * <p>Internal: users meet these classes as {@link dev.holdfast.lock.Lease}.
 */
@NullMarked
package dev.holdfast.internal.lease;

import org.jspecify.annotations.NullMarked;
