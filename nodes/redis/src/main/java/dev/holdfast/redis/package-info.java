/**
 * Nodes that are Redis or Valkey servers: a {@link dev.holdfast.node.LockNode} over Lettuce, and the Lua scripts that run at the server.
 *
 * <p>This package contains the classes for users, and the node itself. {@code script} contains the Lua scripts and their requests, and
 * {@code connection} the connection to the server. {@code memory} guards against a server that lost state (PROTOCOL §5). {@code memory}
 * uses {@code connection}, which uses {@code script}.
 *
 * <p>The scripts behave like {@link dev.holdfast.node.LockTable}; a differential test compares the two.
 */
@NullMarked
package dev.holdfast.redis;

import org.jspecify.annotations.NullMarked;
