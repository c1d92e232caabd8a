/**
 * Nodes that are Redis or Valkey servers: a {@link dev.holdfast.node.LockNode} over Lettuce, and the Lua scripts that run at the
 * server.
 *
 * <p>This package has what users see, and the node itself. {@code script} has the Lua scripts and their requests, {@code connection} the
 * connection to the server, {@code memory} what guards against a server that lost state (PROTOCOL §5). {@code memory} uses {@code connection},
 * which uses {@code script}.
 *
 * <p>The scripts do what {@link dev.holdfast.node.LockTable} does; a differential test holds the two together.
 */
@NullMarked
package dev.holdfast.redis;

import org.jspecify.annotations.NullMarked;
