/**
 * Connections to a server or a cluster over Lettuce: addresses, the handshake, reconnects, and the order of requests on one connection.
 *
 * <p>Public for the other packages of this module only.
 */
@NullMarked
package dev.holdfast.redis.connection;

import org.jspecify.annotations.NullMarked;
