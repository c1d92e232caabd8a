/**
 * Nodes that are Redis or Valkey servers: a {@link dev.holdfast.node.LockNode} over Lettuce, and the Lua scripts that run at the
 * server.
 *
 * <p>The scripts do what {@link dev.holdfast.node.LockTable} does; a differential test holds the two together. Around them:
 * the node owns its connection, whoever keeps it up learns whom it talks to before anything else is sent, and a watch looks for lost
 * memory and stepping clocks (PROTOCOL §5).
 */
@NullMarked
package dev.holdfast.redis;

import org.jspecify.annotations.NullMarked;
