/**
 * A faulty network between clients and real Redis servers. {@link dev.holdfast.testkit.redis.TcpProxy} delays, holds
 * and cuts connections. {@link dev.holdfast.testkit.redis.ReplicatedRedis} puts a proxy in front of a primary and its
 * replica. The servers themselves are those of {@link dev.holdfast.redis.process}.
 *
 * <p>Waits in this package use the real clock and have a deadline. An interrupt does not end them early; it stays
 * visible to the caller.
 */
@NullMarked
package dev.holdfast.testkit.redis;

import org.jspecify.annotations.NullMarked;
