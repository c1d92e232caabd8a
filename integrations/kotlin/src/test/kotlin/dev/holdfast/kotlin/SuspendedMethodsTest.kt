package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockAssertions.assertThatLock
import dev.holdfast.junit.LockNodes
import dev.holdfast.lock.Lease
import dev.holdfast.lock.LeaseLostException
import dev.holdfast.lock.LockTimeoutException
import dev.holdfast.lock.SelfDeadlockException
import dev.holdfast.spring.LeaderOnly
import dev.holdfast.spring.Locked
import dev.holdfast.spring.LockedJob
import dev.holdfast.spring.LockedMethodException
import dev.holdfast.spring.OnBusy
import dev.holdfast.spring.boot.HoldfastAutoConfiguration
import dev.holdfast.spring.boot.HoldfastMethodAutoConfiguration
import java.time.Duration as JavaDuration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.reflect.KClass
import kotlin.time.Duration.Companion.microseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.FilteredClassLoader
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Configuration
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled

/** Beans whose locked functions suspend. */
class SuspendedMethodsTest {

    @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.inMemory(3)

    open class Orders(private val holdfast: Holdfast) {

        open val begun = CompletableDeferred<Lease>()
        open val goOn = CompletableDeferred<Unit>()
        open val heldAtTheEnd = CompletableDeferred<Boolean>()
        open val inside = AtomicInteger()
        open val runs = AtomicInteger()

        @Locked(name = "orders", key = "#id", waitFor = "10m")
        open suspend fun ship(id: String, lease: Lease? = null): String {
            begun.complete(lease!!)
            goOn.await()
            withContext(Dispatchers.IO) { assertThat(Holdfast.currentLease()).contains(lease) }
            return "$id shipped"
        }

        @Locked(name = "counted", waitFor = "10m")
        open suspend fun count(work: Long = 0) {
            assertThat(inside.incrementAndGet()).isEqualTo(1)
            try {
                if (work == 0L) yield() else delay(work.microseconds)
            } finally {
                inside.decrementAndGet()
            }
        }

        @Locked("slow")
        open suspend fun endsSlowly(lease: Lease? = null) {
            begun.complete(lease!!)
            try {
                goOn.await()
            } finally {
                withContext(NonCancellable) {
                    delay(5)
                    heldAtTheEnd.complete(lease.isHeld)
                }
            }
        }

        @Locked("fails") open suspend fun fails(): String = throw IllegalStateException("from the work")

        @Locked(name = "busy", onBusy = OnBusy.SKIP) open suspend fun skips(): String? = "ran"

        @Locked(name = "busy", onBusy = OnBusy.SKIP)
        open suspend fun skipsWithoutResult() {
            runs.incrementAndGet()
        }

        @Locked(name = "busy", waitFor = "0s") open suspend fun doesNotWait() = Unit

        @Locked("own") open suspend fun waitsForItself(): Unit = withContext(Dispatchers.IO) { holdfast.lock("own").withLock {} }

        @Locked("own") open suspend fun callsOther(proxy: Orders): Unit = proxy.waitsForItself()

        @Scheduled(fixedDelay = 3_600_000)
        @LockedJob(name = "job", atMost = "2h", atLeast = "10s")
        open suspend fun job() {
            yield()
            runs.incrementAndGet()
        }
    }

    @Configuration(proxyBeanMethods = false) @EnableScheduling open class Scheduling

    private fun application(type: Class<*>, vararg arguments: Any) =
        ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration::class.java, HoldfastMethodAutoConfiguration::class.java))
            .withBean(Holdfast::class.java, { nodes.connect() })
            .withBean(type, *arguments)

    private fun withOrders(work: suspend CoroutineScope.(Orders, Holdfast) -> Unit) {
        application(Orders::class.java).run { context ->
            test { work(context.getBean(Orders::class.java), context.getBean(Holdfast::class.java)) }
        }
    }

    @Test
    fun theLockIsHeldUntilTheFunctionHasEnded() = withOrders { orders, holdfast ->
        val result = async { orders.ship("1") }
        val lease = orders.begun.await()
        assertThatLock(holdfast, "orders:1").isHeldWithToken(lease.fencingToken())

        orders.goOn.complete(Unit)

        assertThat(result.await()).isEqualTo("1 shipped")
        assertThatLock(holdfast, "orders:1").isFree()
    }

    @Test
    fun eightCoroutinesHaveOneHolder() = withOrders { orders, holdfast ->
        List(8) { launch { repeat(10) { orders.count() } } }.joinAll()
        assertThatLock(holdfast, "counted").isFree()
    }

    @Test
    fun aCancelledFunctionIsLockedUntilItHasEnded() = withOrders { orders, holdfast ->
        val call = launch { orders.endsSlowly() }
        orders.begun.await()

        call.cancelAndJoin()

        assertThat(orders.heldAtTheEnd.await()).isTrue()
        eventuallyFree(holdfast, "slow")
    }

    @Test
    fun aCancelledWaitLeavesTheQueue() = withOrders { orders, holdfast ->
        val lease = nodes.connect().lock("orders:1").awaitAcquire()
        val call = launch { orders.ship("1") }
        eventually { assertThatLock(holdfast, "orders:1").hasWaiters(1) }

        call.cancelAndJoin()

        eventually { assertThatLock(holdfast, "orders:1").hasWaiters(0) }
        lease.awaitRelease()
        eventuallyFree(holdfast, "orders:1")
    }

    @Test
    fun cancellationsAtRandomMomentsLeaveNothing() = withOrders { orders, holdfast ->
        val seed = System.getProperty("holdfast.seed")?.toLongOrNull() ?: Random.nextLong()
        println("seed $seed")
        val random = Random(seed)
        repeat(10) {
            val calls = List(30) {
                val work = random.nextLong(1, 300)
                launch { orders.count(work) }
            }
            calls.shuffled(random).forEach {
                if (random.nextInt(3) == 0) delay(random.nextInt(300).microseconds) else yield()
                it.cancel()
            }
            calls.joinAll()
        }
        eventuallyFree(holdfast, "counted")
    }

    @Test
    fun aLossCancelsTheFunction() = withOrders { orders, _ ->
        val failure = async { failureOf { orders.endsSlowly() } }
        orders.begun.await()
        (1..2).forEach(nodes::kill)
        nodes.clock().advance(JavaDuration.ofMinutes(2))

        assertThat(failure.await()).isInstanceOf(LeaseLostException::class.java).hasMessageContaining("lease of 'slow' lost")
        assertThat(orders.heldAtTheEnd.await()).isFalse()
    }

    @Test
    fun exceptionsStayAsTheyAre() = withOrders { orders, holdfast ->
        assertThat(failureOf { orders.fails() }).isInstanceOf(IllegalStateException::class.java).hasMessage("from the work")
        assertThatLock(holdfast, "fails").isFree()
        assertThat(failureOf { throw CancellationException("own") }).isInstanceOf(CancellationException::class.java)
    }

    @Test
    fun aBusyLockSkipsOrFails() = withOrders { orders, holdfast ->
        assertThat(orders.skips()).isEqualTo("ran")
        val lease = holdfast.lock("busy").awaitAcquire()
        assertThat(orders.skips()).isNull()
        orders.skipsWithoutResult()
        assertThat(orders.runs).hasValue(0)
        assertThat(failureOf { orders.doesNotWait() }).isInstanceOf(LockTimeoutException::class.java)
        lease.awaitRelease()
        orders.skipsWithoutResult()
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun aFunctionThatWaitsForItselfFailsAtOnce() = withOrders { orders, _ ->
        assertThat(failureOf { orders.waitsForItself() }).isInstanceOf(SelfDeadlockException::class.java)
        assertThat(failureOf { orders.callsOther(orders) }).isInstanceOf(SelfDeadlockException::class.java)
    }

    @Test
    fun aScheduledJobMaySuspend() {
        application(Orders::class.java).withUserConfiguration(Scheduling::class.java).run { context ->
            test {
                eventually { assertThat(context.getBean(Orders::class.java).runs).hasValue(1) }
                assertThatLock(context.getBean(Holdfast::class.java), "job").isHeld() // for atLeast
            }
        }
    }

    // ---- mistakes

    open class LaterResult {
        @Locked("x") open suspend fun work(): Flow<Int> = flowOf(1)
    }

    open class DeferredResult {
        @Locked("x") open suspend fun work(): Deferred<Int>? = null
    }

    open class PlainFlow {
        @Locked("x") open fun work(): Flow<Int> = flowOf(1)
    }

    open class SkippedNumber {
        @Locked(name = "x", onBusy = OnBusy.SKIP) open suspend fun work(): Int = 1
    }

    open class LaterFunction {
        @Locked("x") open fun work(): () -> String = { "later" }
    }

    open class LazySequence {
        @Locked("x") open suspend fun work(): Sequence<String> = sequenceOf("later")
    }

    open class Reentrant {
        @Locked(name = "x", reentrant = true) open suspend fun work() = Unit
    }

    open class HiddenParameter {
        @Locked(name = "x", key = "#a1") open suspend fun work(id: String) = Unit
    }

    open class UnknownParameter {
        @Locked(name = "x", key = "#order") open suspend fun work(id: String) = Unit
    }

    open class FinalFunction {
        @Locked("x") suspend fun work() = Unit
    }

    class FinalClass {
        @Locked("x") suspend fun work() = Unit
    }

    open class OnlyTheLeader {
        @LeaderOnly("e") open suspend fun work() = Unit
    }

    private fun messageOf(type: KClass<*>, runner: ApplicationContextRunner = application(type.java)): String {
        val messages = ConcurrentLinkedQueue<String>()
        runner.run { context ->
            val failure = generateSequence(context.startupFailure) { it.cause }.filterIsInstance<LockedMethodException>().first()
            messages += failure.message!!
        }
        return messages.single()
    }

    @Test
    fun theStartFailsIfTheLockCannotBeHeld() {
        assertThat(messageOf(LaterResult::class)).contains("returns a kotlinx.coroutines.flow.Flow<", "so its work may run")
        assertThat(messageOf(DeferredResult::class)).contains("returns a kotlinx.coroutines.Deferred<", "so its work may run")
        assertThat(messageOf(PlainFlow::class)).contains("returns a kotlinx.coroutines.flow.Flow<", "so its work may run")
        assertThat(messageOf(LaterFunction::class)).contains("returns a kotlin.jvm.functions.Function0<", "so its work may run")
        assertThat(messageOf(LazySequence::class)).contains("returns a kotlin.sequences.Sequence<", "so its work may run")
        assertThat(messageOf(SkippedNumber::class)).contains("returns a Integer, which is never null")
        assertThat(messageOf(Reentrant::class)).contains("is reentrant, but suspends")
        assertThat(messageOf(HiddenParameter::class)).contains("has the variable #a1, which is no parameter")
        assertThat(messageOf(UnknownParameter::class)).contains("has the variable #order, which is no parameter")
        assertThat(messageOf(FinalFunction::class)).contains("is final").contains("kotlin-spring")
        assertThat(messageOf(FinalClass::class)).contains("is final").contains("kotlin-spring")
        assertThat(messageOf(OnlyTheLeader::class)).contains("is a suspend function, whose work continues")
    }

    @Test
    fun theStartFailsWithoutTheBridgeToReactor() {
        listOf("kotlinx.coroutines.reactor", "kotlin.reflect.full").forEach {
            val runner = application(Orders::class.java).withClassLoader(FilteredClassLoader(it))
            assertThat(messageOf(Orders::class, runner))
                .contains("is a suspend function, which Spring's proxies cannot await without kotlinx-coroutines-reactor and kotlin-reflect")
                .contains("Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor")
                .doesNotContain("\n")
        }
    }
}
