package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockAssertions.assertThatLock
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withTimeout

internal val PATIENCE = 60.seconds

/** Runs a test in coroutines on several threads, with a deadline. */
internal fun test(work: suspend CoroutineScope.() -> Unit) = runBlocking(Dispatchers.Default) { withTimeout(PATIENCE) { work() } }

/** Runs the block in a coroutine of its own, whose failure does not cancel the test, and returns its exception. */
internal suspend fun failureOf(block: suspend CoroutineScope.() -> Unit): Throwable? = supervisorScope {
    val coroutine = async(block = block)
    coroutine.join()
    runCatching { coroutine.await() }.exceptionOrNull()
}

/** Repeats an assertion until it holds, with the deadline of the test. */
internal suspend fun eventually(assertion: () -> Unit) {
    while (true) {
        try {
            return assertion()
        } catch (e: AssertionError) {
            delay(2)
        }
    }
}

/** Waits until no client holds the lock or waits for it. */
internal suspend fun eventuallyFree(holdfast: Holdfast, name: String) = eventually { assertThatLock(holdfast, name).isFree().hasWaiters(0) }
