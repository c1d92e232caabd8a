/**
 * The lock server: locks over HTTP and JSON, for services that are not Java. A {@link dev.holdfast.server.LockServer} is a client of its nodes like any other,
 * and acts on behalf of its own clients.
 *
 * <p>No waiting request blocks a thread. A queued request is only a future of {@link dev.holdfast.lock.DistributedLock} and a suspended exchange.
 */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
