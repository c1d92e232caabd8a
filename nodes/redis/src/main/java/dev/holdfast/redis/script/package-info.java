/**
 * The Lua scripts, the requests that run them, and the readers of their answers and pushes. The package does not use connections.
 *
 * <p>Public for the other packages of this module only.
 */
@NullMarked
package dev.holdfast.redis.script;

import org.jspecify.annotations.NullMarked;
