package dev.holdfast.kotlin

import dev.holdfast.election.Candidate
import dev.holdfast.election.Election
import dev.holdfast.election.Leadership
import dev.holdfast.lock.HoldfastClosedException
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext

/**
 * Stands for election until the coroutine is cancelled. The candidate waits in the queue, runs the work in a scope of its own when it is elected, and
 * queues again when that leadership has ended. When the work returns, the leader steps down and goes to the end of the queue.
 *
 * The scope of the work is cancelled when the leadership ends for another reason. The lock is released when all coroutines of that scope have ended. If
 * they take longer than a ttl, the lock is released regardless. If the work throws an exception, the leader steps down, and this function throws that
 * exception; unlike [Election.stand], it does not queue again.
 *
 * @throws HoldfastClosedException if the client is closed, before or while the candidate stands
 */
public suspend fun Election.lead(work: suspend CoroutineScope.(Leadership) -> Unit): Nothing = coroutineScope {
    val candidacy = stand(LeadingCoroutine(this, work))
    try {
        candidacy.ended().await()
        throw HoldfastClosedException("the client was closed while '${candidateName()}' stood for election in '${name()}'")
    } finally {
        withContext(NonCancellable) { candidacy.closeAsync().await() }
    }
}

/** A candidate whose work is a coroutine of [scope]. The thread of a leadership waits for that coroutine. */
private class LeadingCoroutine(
    private val scope: CoroutineScope,
    private val work: suspend CoroutineScope.(Leadership) -> Unit,
) : Candidate {

    override fun onElected(leadership: Leadership) {
        val ended = CountDownLatch(1)
        val leading = scope.async(HeldLeases.current(leadership.lease())) { work(leadership) }
        leading.invokeOnCompletion { ended.countDown() }
        var interrupt: InterruptedException? = null
        while (true) {
            try {
                ended.await()
                break
            } catch (e: InterruptedException) {
                interrupt = e
                leading.cancel(CancellationException("leadership of '${leadership.electionName()}', term ${leadership.term()}, has ended"))
            }
        }
        interrupt?.let { throw it }
    }
}
