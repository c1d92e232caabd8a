package dev.holdfast.kotlin

import dev.holdfast.lock.Acquisition
import dev.holdfast.lock.DistributedLock
import dev.holdfast.lock.Lease
import dev.holdfast.lock.SelfDeadlockException
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineScope

/**
 * Acquires the lock as [DistributedLock.acquire] does, and suspends instead of blocking. The caller releases the lease, best with [awaitRelease] in a
 * `finally` block. If the coroutine is cancelled, nothing stays locked, even if the nodes grant the lease at the same moment.
 *
 * Use [wait] as the limit, instead of `withTimeout` around this call: `withTimeout` can drop the lease that this call has returned.
 *
 * @param wait 0 or more; [Duration.INFINITE] for no limit
 * @throws dev.holdfast.lock.LockNotAcquiredException if the lock was not acquired; the subclass of the exception says why
 * @throws SelfDeadlockException if [wait] is not 0 and the coroutine itself holds the lock, through [withLock]
 */
public suspend fun DistributedLock.awaitAcquire(wait: Duration = Duration.INFINITE): Lease = awaitTryAcquire(wait).lease()

/** Acquires the lock as [awaitAcquire] does, by default if it is free now, and returns a refusal as a value instead of throwing it. */
public suspend fun DistributedLock.awaitTryAcquire(wait: Duration = Duration.ZERO): Acquisition {
    requireNotHeld(this, wait)
    return awaitOrUndo({ tryAcquireAsync(wait.toWait()) }, ::releaseUnwanted)
}

/**
 * Acquires the lock, runs the work, and releases the lock however the work ends, even if the coroutine is cancelled. The release suspends until a
 * majority of nodes has answered, a node timeout at most.
 *
 * The work runs in a scope of its own. The lock is released when the work and all coroutines of that scope have ended. If the lease is lost, the scope
 * is cancelled, as [DistributedLock.call] interrupts its thread. Code that blocks does not notice that, unless it runs in `runInterruptible`.
 *
 * During the work, [dev.holdfast.Holdfast.currentLease] returns the lease on the threads of the work and of the coroutines that it starts. Leases are
 * not reentrant: if one of these coroutines waits for the same lock, the call fails with a [SelfDeadlockException].
 *
 * @param wait 0 or more; [Duration.INFINITE] for no limit
 * @throws dev.holdfast.lock.LockNotAcquiredException if the lock was not acquired; the subclass of the exception says why
 * @throws dev.holdfast.lock.LeaseLostException if the lease was lost during the work, unless the work threw an exception other than the
 * [kotlinx.coroutines.CancellationException] that the loss caused
 */
public suspend fun <T> DistributedLock.withLock(
    wait: Duration = Duration.INFINITE,
    work: suspend CoroutineScope.(Lease) -> T,
): T {
    val lease = awaitAcquire(wait)
    return whileHeld("lease of '${name()}'", HeldLeases.current(lease), lease.lost(), lease::releaseAsync) { work(lease) }
}

internal fun requireNotHeld(lock: DistributedLock, wait: Duration) {
    if (wait > Duration.ZERO && lock.isHeldByThisThread()) {
        throw SelfDeadlockException(
            "lock '${lock.name()}' is held by this coroutine itself or by one around it, in a mode that ${lock.mode()} conflicts with, so the wait" +
                " would never end; release it first",
        )
    }
}

internal fun releaseUnwanted(acquisition: Acquisition) {
    if (acquisition is Acquisition.Held) {
        acquisition.lease.releaseAsync()
    }
}
