/**
 * Redis and Valkey servers as processes of this machine, for development and tests.
 * {@link dev.holdfast.redis.process.RedisProcess} starts one, {@link dev.holdfast.redis.process.RedisProcesses} starts
 * several, and {@link dev.holdfast.redis.process.RedisFleet} keeps some running between commands. They listen on the
 * loopback only, except for servers in a network namespace of their own. They end with this process or when they are
 * closed.
 */
@NullMarked
package dev.holdfast.redis.process;

import org.jspecify.annotations.NullMarked;
