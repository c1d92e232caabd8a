package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockAssertions.assertThatLock
import dev.holdfast.junit.LockNodes
import dev.holdfast.lock.HoldfastClosedException
import dev.holdfast.lock.LeaseLostException
import dev.holdfast.lock.SelfDeadlockException
import dev.holdfast.recipe.MultiAcquisition
import java.time.Duration as JavaDuration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

class RecipesTest {

    @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.inMemory(3)

    @Test
    fun allLocksOfASetAreHeldAndReleased(holdfast: Holdfast) = test {
        val locks = holdfast.locks("b", "a")
        locks.withLocks { leases ->
            assertThat(leases.leases().map { it.name() }).containsExactly("a", "b")
            assertThat(locks.awaitTryAcquire()).isInstanceOf(MultiAcquisition.Refused::class.java)
            assertThat(runCatching { holdfast.lock("b").withLock { error("runs") } }.exceptionOrNull())
                .isInstanceOf(SelfDeadlockException::class.java)
        }
        listOf("a", "b").forEach { assertThatLock(holdfast, it).isFree() }
    }

    @Test
    fun aCancelledWaitForASetLeavesNothing(holdfast: Holdfast, other: Holdfast) = test {
        val second = holdfast.lock("b").awaitAcquire()
        val waiting = launch { other.locks("a", "b").withLocks { error("runs") } }
        eventually { assertThatLock(holdfast, "b").hasWaiters(1) }
        assertThatLock(holdfast, "a").isHeld()

        waiting.cancelAndJoin()

        eventuallyFree(holdfast, "a")
        second.awaitRelease()
        eventuallyFree(holdfast, "b")
    }

    @Test
    fun theLossOfOneLeaseCancelsTheWorkOfASet(holdfast: Holdfast) = test {
        val begun = CompletableDeferred<Long>()
        val failure = async {
            failureOf {
                holdfast.locks("a", "b").withLocks {
                    begun.complete(it.fencingToken("b"))
                    awaitCancellation()
                }
            }
        }
        holdfast.admin().breakLease("b", begun.await(), "test")
        nodes.clock().advance(JavaDuration.ofSeconds(30))
        assertThat(failure.await()).isInstanceOf(LeaseLostException::class.java).hasMessageContaining("'b'")
        eventuallyFree(holdfast, "a")
    }

    @Test
    fun aSemaphoreAdmitsItsNumber(one: Holdfast, other: Holdfast) = test {
        val inside = AtomicInteger()
        val most = AtomicInteger()
        (0 until 8).map { number ->
            launch {
                val semaphore = (if (number % 2 == 0) one else other).semaphore("s", 2)
                repeat(5) {
                    semaphore.withPermit { permit ->
                        assertThat(permit.isHeld).isTrue()
                        val now = inside.incrementAndGet()
                        most.accumulateAndGet(now, ::maxOf)
                        yield()
                        inside.decrementAndGet()
                    }
                }
            }
        }.joinAll()
        assertThat(most.get()).isBetween(1, 2)
        assertThat(one.semaphore("s", 2).awaitTryAcquire().isHeld).isTrue()
        listOf("s#gate").forEach { eventuallyFree(one, it) }
    }

    // ---- elections

    @Test
    fun oneCoroutineLeadsAndTheNextFollows(one: Holdfast, other: Holdfast) = test {
        val leaders = ConcurrentLinkedQueue<Pair<String, Long>>()
        val leading = AtomicInteger()
        val candidates = listOf(one to "one", other to "other").associate { (client, name) ->
            name to launch {
                client.election("e").lead { leadership ->
                    assertThat(leading.incrementAndGet()).isEqualTo(1)
                    assertThat(Holdfast.currentLease()).contains(leadership.lease())
                    leaders += name to leadership.term()
                    try {
                        awaitCancellation()
                    } finally {
                        leading.decrementAndGet()
                    }
                }
            }
        }
        eventually { assertThat(leaders).hasSize(1) }
        candidates.getValue(leaders.first().first).cancelAndJoin()
        eventually { assertThat(leaders).hasSize(2) }
        assertThat(leaders.map { it.second }).isSorted()
        assertThat(leaders.map { it.first }).doesNotHaveDuplicates()
        candidates.values.forEach { it.cancelAndJoin() }
        eventuallyFree(one, "e")
    }

    @Test
    fun aLeaderThatReturnsQueuesAgain(holdfast: Holdfast) = test {
        val terms = ConcurrentLinkedQueue<Long>()
        val candidate = launch { holdfast.election("e").lead { terms += it.term() } }
        eventually { assertThat(terms).hasSizeGreaterThan(2) }
        candidate.cancelAndJoin()
        assertThat(terms.toList()).isSorted()
        eventuallyFree(holdfast, "e")
    }

    @Test
    fun theExceptionOfTheWorkEndsTheCandidacy(holdfast: Holdfast) = test {
        assertThat(failureOf { holdfast.election("e").lead { error("from the work") } })
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessage("from the work")
        eventuallyFree(holdfast, "e")
    }

    @Test
    fun aClosedClientEndsTheCandidacy(one: Holdfast, other: Holdfast) = test {
        val leading = CompletableDeferred<Unit>()
        val leader = async {
            failureOf {
                one.election("e").lead {
                    leading.complete(Unit)
                    awaitCancellation()
                }
            }
        }
        leading.await()
        val waiting = async { failureOf { other.election("e").lead { error("elected") } } }
        eventually { assertThat(one.lock("e").status().waiters()).hasSize(1) }

        other.close()
        assertThat(waiting.await()).isInstanceOf(HoldfastClosedException::class.java)
        one.close()
        assertThat(leader.await()).isInstanceOf(HoldfastClosedException::class.java)
    }

    @Test
    fun aLostLeadershipCancelsItsWork(holdfast: Holdfast) = test {
        val terms = ConcurrentLinkedQueue<Long>()
        val cancelled = CompletableDeferred<Throwable>()
        val candidate = launch {
            holdfast.election("e").lead { leadership ->
                terms += leadership.term()
                try {
                    awaitCancellation()
                } catch (e: Throwable) {
                    cancelled.complete(e)
                    throw e
                }
            }
        }
        eventually { assertThat(terms).hasSize(1) }
        holdfast.admin().breakLease("e", terms.first(), "test")
        nodes.clock().advance(JavaDuration.ofSeconds(30))
        assertThat(cancelled.await()).hasMessageContaining("leadership of 'e', term ${terms.first()}, has ended")
        eventually { assertThat(terms).hasSizeGreaterThan(1) }
        candidate.cancelAndJoin()
    }
}
