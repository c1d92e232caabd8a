/**
 * Real Redis servers for tests and for {@code holdfast dev}, and the faults one does to them.
 *
 * <p>Start at {@link dev.holdfast.testkit.redis.RedisProcesses} for servers that end with the test, at
 * {@link dev.holdfast.testkit.redis.RedisFleet} for servers that outlive this JVM, and at
 * {@link dev.holdfast.testkit.redis.TcpProxy} for a network that misbehaves. Everything listens on the loopback only, but for servers in a
 * {@link dev.holdfast.testkit.redis.NetworkNamespace} of their own.
 *
 * <p>Waits in this package are by the real clock, have a deadline, and are not cut short by an interrupt: it stays visible to the
 * caller, and no process is left half ended.
 */
@NullMarked
package dev.holdfast.testkit.redis;

import org.jspecify.annotations.NullMarked;
