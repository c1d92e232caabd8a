package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockAssertions.assertThatLock
import dev.holdfast.junit.LockNodes
import dev.holdfast.lock.Acquisition
import dev.holdfast.lock.DistributedLock
import dev.holdfast.lock.ExtendOutcome
import dev.holdfast.lock.HoldfastClosedException
import dev.holdfast.lock.Lease
import dev.holdfast.lock.LeaseLostException
import dev.holdfast.lock.LockTimeoutException
import dev.holdfast.lock.Refusal
import dev.holdfast.lock.ReleaseOutcome
import dev.holdfast.lock.SelfDeadlockException
import java.time.Duration as JavaDuration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.random.Random
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension

class LocksTest {

    @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.inMemory(5)

    @Test
    fun eightCoroutinesHaveOneHolder(one: Holdfast, other: Holdfast) = test {
        val inside = AtomicInteger()
        val tokens = ConcurrentLinkedQueue<Long>()
        (0 until 8).map { number ->
            launch {
                val lock = (if (number % 2 == 0) one else other).lock("a")
                repeat(10) {
                    lock.withLock { lease ->
                        assertThat(inside.incrementAndGet()).isEqualTo(1)
                        yield()
                        tokens += lease.fencingToken()
                        inside.decrementAndGet()
                    }
                }
            }
        }.joinAll()
        assertThat(tokens.toList()).hasSize(80).doesNotHaveDuplicates().isSorted()
        eventuallyFree(one, "a")
    }

    @Test
    fun returnsTheResultAndReleases(holdfast: Holdfast) = test {
        val token = holdfast.lock("a").withLock(1.minutes) { it.fencingToken() }

        assertThat(token).isPositive()
        assertThatLock(holdfast, "a").isFree()
    }

    @Test
    fun aRefusalIsAValueOrAnException(holdfast: Holdfast) = test {
        val lock = holdfast.lock("a")
        val lease = lock.ttl(JavaDuration.ofHours(24)).awaitAcquire() // outlives any number of steps below

        val refused = lock.awaitTryAcquire() as Acquisition.Refused
        assertThat(refused.refusal.reason()).isEqualTo(Refusal.Reason.HELD)
        val waiting = async { failureOf { lock.withLock(30.seconds) { error("runs") } } }
        eventually { assertThatLock(holdfast, "a").isHeld() }
        while (!waiting.isCompleted) {
            nodes.clock().advance(JavaDuration.ofSeconds(5))
            delay(1)
        }
        assertThat(waiting.await()).isInstanceOf(LockTimeoutException::class.java)

        assertThat(lease.awaitExtend(1.minutes)).isEqualTo(ExtendOutcome.EXTENDED)
        assertThat(lease.awaitRelease()).isEqualTo(ReleaseOutcome.RELEASED)
        assertThat(lock.awaitTryAcquire().isHeld).isTrue()
    }

    @Test
    fun aClosedClientSaysSo(holdfast: Holdfast) = test {
        holdfast.close()
        assertThat(failureOf { holdfast.lock("a").withLock {} }).isInstanceOf(HoldfastClosedException::class.java)
    }

    @Test
    fun theExceptionOfTheWorkStaysAsItIs(holdfast: Holdfast) = test {
        val thrown = IllegalStateException("from the work")
        val failure = failureOf { holdfast.lock("a").withLock { throw thrown } }

        assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessage("from the work")
        assertThatLock(holdfast, "a").isFree()
    }

    @Test
    fun theWorkEndsWithItsCoroutines(holdfast: Holdfast) = test {
        var ended = false
        holdfast.lock("a").withLock { lease ->
            launch {
                delay(5)
                ended = lease.isHeld
            }
        }
        assertThat(ended).isTrue()
    }

    // ---- cancellation

    @Test
    fun aCancelledWaitLeavesTheQueue(holdfast: Holdfast, other: Holdfast) = test {
        val lease = holdfast.lock("a").awaitAcquire()
        val waiting = launch { other.lock("a").withLock { error("runs") } }
        eventually { assertThatLock(holdfast, "a").hasWaiters(1) }

        waiting.cancelAndJoin()

        eventually { assertThatLock(holdfast, "a").hasWaiters(0) }
        lease.awaitRelease()
        eventuallyFree(holdfast, "a")
    }

    @Test
    fun aCancelledWorkIsStillLockedUntilItHasEnded(holdfast: Holdfast) = test {
        val begun = CompletableDeferred<Lease>()
        var heldAtTheEnd = false
        val work = launch {
            holdfast.lock("a").withLock { lease ->
                begun.complete(lease)
                try {
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        delay(5)
                        heldAtTheEnd = lease.isHeld
                    }
                }
            }
        }
        begun.await()

        work.cancelAndJoin()

        assertThat(heldAtTheEnd).isTrue()
        assertThatLock(holdfast, "a").isFree()
    }

    @Test
    fun aCancellationStaysOne(holdfast: Holdfast) = test {
        val own = CancellationException("from the work")
        val thrown = assertThrows<CancellationException> { runBlocking { holdfast.lock("a").withLock { throw own } } }
        assertThat(thrown).hasMessage("from the work")
        val timeout = assertThrows<CancellationException> {
            runBlocking { withTimeout(20) { holdfast.lock("a").withLock { awaitCancellation() } } }
        }
        assertThat(timeout).isInstanceOf(TimeoutCancellationException::class.java)
        assertThatLock(holdfast, "a").isFree()
    }

    @Test
    fun aCancelledCoroutineAcquiresNothing(holdfast: Holdfast) = test {
        val job = launch {
            coroutineContext.cancel()
            holdfast.lock("a").awaitTryAcquire()
        }
        job.join()
        assertThatLock(holdfast, "a").isFree()
    }

    /** Tasks of coroutines that the test runs when it wants. */
    private class ManualDispatcher : CoroutineDispatcher() {

        val tasks = ConcurrentLinkedQueue<Runnable>()

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            tasks += block
        }

        fun runAll() = generateSequence { tasks.poll() }.forEach { it.run() }
    }

    @Test
    fun aLeaseGrantedInTheMomentOfCancellationIsReleased(holdfast: Holdfast) = test {
        val dispatcher = ManualDispatcher()
        val scope = CoroutineScope(dispatcher)
        val first = holdfast.lock("a").awaitAcquire()
        val waiting = scope.launch { holdfast.lock("a").withLock { error("runs") } }
        dispatcher.runAll() // asks for the lock and suspends
        first.awaitRelease()
        eventually { assertThat(dispatcher.tasks).isNotEmpty() } // the lease is granted, and the coroutine does not know it yet
        assertThatLock(holdfast, "a").isHeld()

        waiting.cancel()
        dispatcher.runAll()

        eventuallyFree(holdfast, "a")
        assertThat(waiting.isCancelled).isTrue()
    }

    @Test
    fun theOutcomeOfACancelledAttemptIsUndoneOnce() = test {
        val dispatcher = ManualDispatcher()
        val attempt = CompletableFuture<String>()
        val undone = ConcurrentLinkedQueue<String>()
        val waiting = CoroutineScope(dispatcher).launch { awaitOrUndo({ attempt }, undone::add) }
        dispatcher.runAll()
        attempt.complete("lease")
        waiting.cancel()
        dispatcher.runAll()

        assertThat(undone).containsExactly("lease")

        val other = CompletableFuture<String>()
        val cancelled = CoroutineScope(dispatcher).launch { awaitOrUndo({ other }, undone::add) }
        dispatcher.runAll()
        cancelled.cancel()
        dispatcher.runAll()

        assertThat(other).isCancelled()
        assertThat(undone).hasSize(1)
    }

    @Test
    fun aThousandCancellationsLeaveNothing(one: Holdfast, other: Holdfast) = test {
        val seed = System.getProperty("holdfast.seed")?.toLongOrNull() ?: Random.nextLong()
        println("seed $seed")
        val random = Random(seed)
        val inside = List(3) { AtomicInteger() }
        var done = 0
        repeat(20) {
            val jobs = List(50) {
                val number = random.nextInt(3)
                val lock = (if (random.nextBoolean()) one else other).lock("lock-$number")
                val work = random.nextInt(300).microseconds
                launch {
                    lock.withLock {
                        assertThat(inside[number].incrementAndGet()).isEqualTo(1)
                        try {
                            delay(work)
                        } finally {
                            inside[number].decrementAndGet()
                        }
                    }
                }
            }
            jobs.shuffled(random).forEach {
                if (random.nextInt(4) == 0) {
                    delay(random.nextInt(500).microseconds)
                } else {
                    yield()
                }
                it.cancel()
            }
            jobs.joinAll()
            done += jobs.size
        }
        assertThat(done).isEqualTo(1_000)
        repeat(3) { eventuallyFree(one, "lock-$it") }
    }

    // ---- loss

    private fun loseEverything() {
        (1..3).forEach(nodes::kill)
        nodes.clock().advance(JavaDuration.ofMinutes(2))
    }

    @Test
    fun aLossCancelsTheWork(holdfast: Holdfast) = test {
        val seen = CompletableDeferred<CancellationException>()
        val begun = CompletableDeferred<Unit>()
        val failure = async {
            failureOf {
                holdfast.lock("a").withLock {
                    begun.complete(Unit)
                    try {
                        awaitCancellation()
                    } catch (e: CancellationException) {
                        seen.complete(e)
                        throw e
                    }
                }
            }
        }
        begun.await()
        loseEverything()

        assertThat(failure.await()).isInstanceOf(LeaseLostException::class.java).hasMessageContaining("lease of 'a' lost")
        assertThat(seen.await()).hasMessageContaining("lease of 'a' lost")
    }

    @Test
    fun aLossIsReportedEvenIfTheWorkIgnoresIt(holdfast: Holdfast) = test {
        val lock = holdfast.lock("a")
        assertThat(failureOf { lock.withLock { withContext(NonCancellable) { loseEverything() } } })
            .isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun theWorksOwnExceptionGoesBeforeTheLoss(holdfast: Holdfast) = test {
        val failure = failureOf {
            holdfast.lock("a").withLock {
                loseEverything()
                throw IllegalStateException("from the work")
            }
        }
        assertThat(failure).isInstanceOf(IllegalStateException::class.java)
    }

    @Test
    fun theLossOfTheOuterLeaseIsReportedByTheOuterScope() = test {
        val holdfast = nodes.connect()
        val inner = CompletableDeferred<Throwable>()
        val begun = CompletableDeferred<Lease>()
        val failure = async {
            failureOf {
                holdfast.lock("outer").withLock { lease ->
                    try {
                        holdfast.lock("inner").withLock {
                            begun.complete(lease)
                            awaitCancellation()
                        }
                    } catch (e: Throwable) {
                        inner.complete(e)
                        throw e
                    }
                }
            }
        }
        holdfast.admin().breakLease("outer", begun.await().fencingToken(), "test")
        nodes.clock().advance(JavaDuration.ofSeconds(30))

        assertThat(failure.await()).isInstanceOf(LeaseLostException::class.java).hasMessageContaining("'outer'")
        assertThat(inner.await()).isInstanceOf(CancellationException::class.java)
        eventuallyFree(holdfast, "inner")
    }

    // ---- coroutines that hold a lock themselves

    private suspend fun assertRefused(lock: DistributedLock) {
        assertThat(failureOf { lock.withLock { error("runs") } })
            .isInstanceOf(SelfDeadlockException::class.java)
            .hasMessageContaining("held by this coroutine itself")
    }

    @Test
    fun aCoroutineThatWaitsForItselfFailsAtOnce(holdfast: Holdfast) = test {
        val lock = holdfast.lock("a")
        lock.withLock {
            assertRefused(lock)
            delay(1) // may go on with another thread
            assertRefused(lock)
            withContext(Dispatchers.IO) { assertRefused(lock) }
            launch { assertRefused(lock) }
            holdfast.lock("b").withLock { assertRefused(lock) }
            holdfast.locks("a", "c").let { set ->
                assertThat(failureOf { set.withLocks { error("runs") } }).isInstanceOf(SelfDeadlockException::class.java)
            }
            assertThat(lock.awaitTryAcquire().isHeld).isFalse()
            withContext(Dispatchers.IO) { assertThrows<SelfDeadlockException> { lock.acquire(JavaDuration.ofMinutes(1)) } }
        }
        lock.withLock {}
    }

    @Test
    fun readersDoNotWaitForThemselves(holdfast: Holdfast) = test {
        val lock = holdfast.lock("a").shared()
        lock.withLock { lock.withLock(1.minutes) {} }
    }

    @Test
    fun theThreadsOfTheWorkKnowTheLease(holdfast: Holdfast) = test {
        holdfast.lock("a").withLock { outer ->
            assertThat(Holdfast.currentLease()).contains(outer)
            holdfast.lock("b").withLock { inner ->
                withContext(Dispatchers.IO) { assertThat(Holdfast.currentLease()).contains(inner) }
            }
            delay(1)
            assertThat(Holdfast.currentLease()).contains(outer)
        }
        assertThat(Holdfast.currentLease()).isEmpty()
        withContext(Dispatchers.IO) { assertThat(Holdfast.currentLease()).isEmpty() }
    }

    @Test
    fun otherCoroutinesOnTheSameThreadAreNotHolders(holdfast: Holdfast) {
        val lock = holdfast.lock("a")
        runBlocking {
            val begun = CompletableDeferred<Unit>()
            val goOn = CompletableDeferred<Unit>()
            launch {
                lock.withLock {
                    begun.complete(Unit)
                    goOn.await()
                }
            }
            begun.await()
            assertThat(lock.isHeldByThisThread).isFalse()
            val waiting = launch { lock.withLock { } }
            yield()
            goOn.complete(Unit)
            waiting.join()
        }
    }
}
