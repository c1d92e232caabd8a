/**
 * Guards that check {@linkplain dev.holdfast.lock.Lease#fencingToken fencing tokens} at the resource that a lock protects (PROTOCOL §6). A holder
 * that was paused for longer than its lease may write once more, and a lock alone cannot prevent that. A resource that has seen a larger token can
 * reject the write.
 *
 * <p>{@link dev.holdfast.fence.JdbcGuard} keeps the newest token of each resource in a table. {@link dev.holdfast.fence.ColumnGuard} keeps it in a
 * column of the row itself. Both work within the caller's transaction. {@link dev.holdfast.fence.MemoryGuard} is for resources in this process. The
 * guard of Redis values is part of the Redis module.
 */
@NullMarked
package dev.holdfast.fence;

import org.jspecify.annotations.NullMarked;
