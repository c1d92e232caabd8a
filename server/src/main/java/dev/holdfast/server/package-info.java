/**
 * The lock server: locks over HTTP and JSON, for services that are not Java. A {@link dev.holdfast.server.LockServer} is a client of its
 * nodes like any other, and speaks for those that ask it.
 *
 * <p>Nothing here blocks a thread for somebody who waits: a request that stands in line is a future of {@link dev.holdfast.lock.DistributedLock}
 * and a suspended exchange, no more.
 */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
