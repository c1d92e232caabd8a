/**
 * The client's part of PROTOCOL §4, to be read beside it. An {@link dev.holdfast.internal.quorum.Attempt} gathers votes until a majority of them bears one
 * fence, an {@link dev.holdfast.internal.quorum.Extension} extends them, and a {@link dev.holdfast.internal.quorum.Release} releases them. The votes are in a
 * {@link dev.holdfast.internal.quorum.VoteSet}, one {@link dev.holdfast.internal.quorum.NodeVote} for each node, and {@link
 * dev.holdfast.internal.quorum.Validity} does the arithmetic. With one node the same code is the single-instance lock.
 *
 * <p>This package is internal: users reach its classes through {@code dev.holdfast}.
 */
@NullMarked
package dev.holdfast.internal.quorum;

import org.jspecify.annotations.NullMarked;
