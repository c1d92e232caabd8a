package dev.holdfast.kotlin

import dev.holdfast.lock.DistributedLock
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await

/** Returns the limit of a wait for the methods of Java. */
internal fun Duration.toWait(): java.time.Duration = if (isInfinite() && isPositive()) DistributedLock.FOREVER else toJavaDuration()

/**
 * Starts an attempt and awaits its outcome. Cancelling the coroutine ends the attempt. If the attempt had already ended, its outcome is undone, since no
 * caller receives it.
 */
internal suspend fun <T : Any> awaitOrUndo(start: () -> CompletableFuture<T>, undo: (T) -> Unit): T {
    currentCoroutineContext().ensureActive()
    val attempt = start()
    try {
        return attempt.await()
    } catch (e: CancellationException) {
        if (!attempt.cancel(true) && !attempt.isCompletedExceptionally) {
            undo(attempt.join())
        }
        throw e
    }
}
