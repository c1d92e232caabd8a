package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockNodes
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.time.Duration.Companion.microseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** Coroutines and real servers. */
class RealNodesTest {

    companion object {
        @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.redis(3)
    }

    @Test
    fun eightCoroutinesHaveOneHolder(one: Holdfast, other: Holdfast) = test {
        val inside = AtomicInteger()
        var sum = 0
        (0 until 8).map { number ->
            launch {
                val lock = (if (number % 2 == 0) one else other).lock("a")
                repeat(10) {
                    lock.withLock {
                        assertThat(inside.incrementAndGet()).isEqualTo(1)
                        val before = sum
                        yield()
                        sum = before + 1
                        inside.decrementAndGet()
                    }
                }
            }
        }.joinAll()
        assertThat(sum).isEqualTo(80)
        eventuallyFree(one, "a")
    }

    @Test
    fun cancellationsLeaveNothing(one: Holdfast, other: Holdfast) = test {
        val seed = System.getProperty("holdfast.seed")?.toLongOrNull() ?: Random.nextLong()
        println("seed $seed")
        val random = Random(seed)
        repeat(10) {
            val jobs = List(20) {
                val lock = (if (random.nextBoolean()) one else other).lock("b")
                launch { lock.withLock { delay(100.microseconds) } }
            }
            jobs.shuffled(random).forEach {
                delay(random.nextInt(400).microseconds)
                it.cancel()
            }
            jobs.joinAll()
        }
        eventuallyFree(one, "b")
    }
}
