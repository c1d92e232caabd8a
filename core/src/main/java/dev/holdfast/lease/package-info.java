/**
 * A lease from its grant to its end: renewal, the deadline, the signals of risk and loss.
 *
 * <p>Internal: users meet these classes as {@link dev.holdfast.Lease}.
 */
@NullMarked
package dev.holdfast.lease;

import org.jspecify.annotations.NullMarked;
