package dev.holdfast.kotlin

import dev.holdfast.lock.ExtendOutcome
import dev.holdfast.lock.Lease
import dev.holdfast.lock.ReleaseOutcome
import dev.holdfast.recipe.MultiLease
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext

/**
 * Releases the lease as [Lease.release] does, and suspends instead of blocking. It works in a cancelled coroutine too, so it may be called in a
 * `finally` block.
 */
public suspend fun Lease.awaitRelease(): ReleaseOutcome = withContext(NonCancellable) { releaseAsync().await() }

/** Extends the lease as [Lease.extend] does, and suspends instead of blocking. Cancelling the coroutine does not stop the request. */
public suspend fun Lease.awaitExtend(duration: Duration): ExtendOutcome = extendAsync(duration.toJavaDuration()).await()

/** Releases all leases as [MultiLease.release] does, and suspends as [Lease.awaitRelease] does. */
public suspend fun MultiLease.awaitRelease(): ReleaseOutcome = withContext(NonCancellable) { releaseAsync().await() }
