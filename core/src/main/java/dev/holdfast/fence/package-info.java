/**
 * Guards that check {@linkplain dev.holdfast.lock.Lease#fencingToken fencing tokens} at the resource that a lock protects (PROTOCOL
 * §6). A lock alone cannot stop a holder that was paused for longer than its lease from writing once more; a resource that has seen a larger
 * token can.
 *
 * <p>{@link dev.holdfast.fence.JdbcGuard} keeps the newest token of each resource in a table, {@link dev.holdfast.fence.ColumnGuard} in a
 * column of the row itself, both within the caller's transaction; {@link dev.holdfast.fence.MemoryGuard} is for resources in this process.
 * The guard of Redis values is part of the Redis module.
 */
@NullMarked
package dev.holdfast.fence;

import org.jspecify.annotations.NullMarked;
