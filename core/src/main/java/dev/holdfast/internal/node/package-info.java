/**
 * The nodes of one client. {@link dev.holdfast.internal.node.NodeSet} holds them, {@link dev.holdfast.internal.node.NodeSeat} knows which
 * server stands behind each, and {@link dev.holdfast.internal.node.FanOut} sends one request to several of them.
 *
 * <p>Nothing in this package knows votes or leases, which belong to {@code dev.holdfast.internal.quorum}.
 */
@NullMarked
package dev.holdfast.internal.node;

import org.jspecify.annotations.NullMarked;
