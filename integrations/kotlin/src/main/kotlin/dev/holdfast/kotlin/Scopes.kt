package dev.holdfast.kotlin

import dev.holdfast.lock.LeaseLostException
import dev.holdfast.lock.Loss
import dev.holdfast.lock.ReleaseOutcome
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.atomic.AtomicReference
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.job
import kotlinx.coroutines.withContext

/**
 * Runs the work in a scope of its own that the loss cancels, and then releases what is held. The release comes after the end of all coroutines of the
 * scope, however they end.
 *
 * @param what the name of what is held, for messages
 * @throws LeaseLostException if the loss cancelled the work, or a lease had ended before its release
 */
internal suspend fun <T> whileHeld(
    what: String,
    held: HeldLeases,
    lost: CompletionStage<Loss>,
    release: () -> CompletableFuture<ReleaseOutcome>,
    work: suspend CoroutineScope.() -> T,
): T {
    var outcome: ReleaseOutcome? = null
    val result =
        try {
            untilLost(held, lost, work)
        } finally {
            outcome = withContext(NonCancellable) { release().await() }
        }
    if (outcome == ReleaseOutcome.EXPIRED) { // after a pause of this process, the client may not have reported the loss yet
        throw LeaseLostException("$what ended before the work did")
    }
    return result
}

private suspend fun <T> untilLost(held: HeldLeases, lost: CompletionStage<Loss>, work: suspend CoroutineScope.() -> T): T {
    val loss = AtomicReference<LossCancellation>()
    try {
        return withContext(held) {
            val scope = coroutineContext.job
            lost.thenAccept {
                val cancellation = LossCancellation(it)
                loss.set(cancellation)
                scope.cancel(cancellation)
            }
            ensureActive()
            work()
        }
    } catch (e: CancellationException) {
        val cause = generateSequence<Throwable>(e) { it.cause }.firstOrNull { it === loss.get() }
        if (cause != null) {
            throw LeaseLostException(loss.get().message!!)
        }
        throw e
    }
}

/** The cancellation of the scope whose lease is lost. Any other cancellation of the work has its own exception. */
private class LossCancellation(loss: Loss) : CancellationException(loss.toString())
