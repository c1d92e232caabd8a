/**
 * The client of PROTOCOL §4, to be read beside it: an {@link dev.holdfast.internal.quorum.Attempt} gathers votes until a majority bears one
 * fence, an {@link dev.holdfast.internal.quorum.Extension} prolongs them, a {@link dev.holdfast.internal.quorum.Release} gives them back. All
 * three ask all nodes at once through the one fan-out of {@link dev.holdfast.internal.quorum.Quorum}; {@link dev.holdfast.internal.quorum.Validity}
 * is the arithmetic. With one node the same code is the single-instance lock.
 *
 * <p>Internal: users meet these classes through {@code dev.holdfast}.
 */
@NullMarked
package dev.holdfast.internal.quorum;

import org.jspecify.annotations.NullMarked;
