/**
 * The client of PROTOCOL §4, to be read beside it: an {@link dev.holdfast.quorum.Attempt} gathers votes until a majority bears one
 * fence, an {@link dev.holdfast.quorum.Extension} prolongs them, a {@link dev.holdfast.quorum.Release} gives them back. All
 * three ask all nodes at once through the one fan-out of {@link dev.holdfast.quorum.Quorum}; {@link dev.holdfast.quorum.Validity}
 * is the arithmetic. With one node the same code is the single-instance lock.
 *
 * <p>Internal: users meet these classes through {@code dev.holdfast}.
 */
@NullMarked
package dev.holdfast.quorum;

import org.jspecify.annotations.NullMarked;
