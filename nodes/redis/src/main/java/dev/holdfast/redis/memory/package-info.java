/**
 * Guards against a server that lost state: run ids, the epoch key, and the watch over the server's clock (PROTOCOL §5).
 *
 * <p>Public for the other packages of this module only.
 */
@NullMarked
package dev.holdfast.redis.memory;

import org.jspecify.annotations.NullMarked;
