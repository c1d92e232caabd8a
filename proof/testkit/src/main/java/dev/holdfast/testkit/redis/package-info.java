/**
 * A network between clients and real Redis servers that misbehaves: {@link dev.holdfast.testkit.redis.TcpProxy} delays, holds back and cuts
 * connections, {@link dev.holdfast.testkit.redis.ReplicatedRedis} puts one before a primary and its replica. The servers themselves are those of
 * {@link dev.holdfast.redis.process}.
 *
 * <p>Waits in this package are by the real clock, have a deadline, and are not cut short by an interrupt: it stays visible to the caller.
 */
@NullMarked
package dev.holdfast.testkit.redis;

import org.jspecify.annotations.NullMarked;
