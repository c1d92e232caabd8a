package dev.holdfast.kotlin

import dev.holdfast.lock.Acquisition
import dev.holdfast.lock.Lease
import dev.holdfast.recipe.LockSemaphore
import dev.holdfast.recipe.MultiAcquisition
import dev.holdfast.recipe.MultiLease
import dev.holdfast.recipe.MultiLock
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineScope

// ---- several locks

/** Acquires all locks as [MultiLock.acquire] does, and suspends as [dev.holdfast.lock.DistributedLock.awaitAcquire] does. */
public suspend fun MultiLock.awaitAcquire(wait: Duration = Duration.INFINITE): MultiLease = awaitTryAcquire(wait).leases()

/** Acquires all locks as [awaitAcquire] does, by default if they are free now, and returns a refusal as a value instead of throwing it. */
public suspend fun MultiLock.awaitTryAcquire(wait: Duration = Duration.ZERO): MultiAcquisition {
    locks().forEach { requireNotHeld(it, wait) }
    return awaitOrUndo({ tryAcquireAsync(wait.toWait()) }) {
        if (it is MultiAcquisition.Held) {
            it.leases.releaseAsync()
        }
    }
}

/**
 * Acquires all locks, runs the work, and releases them, as [dev.holdfast.lock.DistributedLock.withLock] does with one lock. The loss of any lease
 * cancels the work.
 */
public suspend fun <T> MultiLock.withLocks(
    wait: Duration = Duration.INFINITE,
    work: suspend CoroutineScope.(MultiLease) -> T,
): T {
    val leases = awaitAcquire(wait)
    val names = leases.leases().joinToString { "'${it.name()}'" }
    return whileHeld("lease of $names", HeldLeases.all(leases.leases()), leases.lost(), leases::releaseAsync) { work(leases) }
}

// ---- semaphores

/**
 * Acquires a permit as [LockSemaphore.acquire] does, and suspends as [dev.holdfast.lock.DistributedLock.awaitAcquire] does. It does not notice that the
 * coroutine itself holds all permits: such a call waits for [wait].
 */
public suspend fun LockSemaphore.awaitAcquire(wait: Duration = Duration.INFINITE): Lease = awaitTryAcquire(wait).lease()

/** Acquires a permit as [awaitAcquire] does, by default if one is free now, and returns a refusal as a value instead of throwing it. */
public suspend fun LockSemaphore.awaitTryAcquire(wait: Duration = Duration.ZERO): Acquisition =
    awaitOrUndo({ tryAcquireAsync(wait.toWait()) }, ::releaseUnwanted)

/** Acquires a permit, runs the work, and releases the permit, as [dev.holdfast.lock.DistributedLock.withLock] does with a lock. */
public suspend fun <T> LockSemaphore.withPermit(
    wait: Duration = Duration.INFINITE,
    work: suspend CoroutineScope.(Lease) -> T,
): T {
    val permit = awaitAcquire(wait)
    return whileHeld("a permit of '${name()}'", HeldLeases.all(listOf(permit)), permit.lost(), permit::releaseAsync) { work(permit) }
}
