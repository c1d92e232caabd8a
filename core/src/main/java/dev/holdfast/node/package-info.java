/**
 * The definition of a node: one voter of PROTOCOL §3, its requests, its answers and its pushes.
 *
 * <p>{@link dev.holdfast.node.LockNode} is a client's view of a node, and the interface that a new kind of node implements.
 * {@link dev.holdfast.node.LockTable} is the node itself as a pure, deterministic class, which defines the behaviour of every kind of node.
 */
@NullMarked
package dev.holdfast.node;

import org.jspecify.annotations.NullMarked;
