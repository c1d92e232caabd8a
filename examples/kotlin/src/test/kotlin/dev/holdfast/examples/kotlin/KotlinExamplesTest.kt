package dev.holdfast.examples.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockAssertions.assertThatLock
import dev.holdfast.junit.LockNodes
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import org.springframework.boot.WebApplicationType
import org.springframework.boot.builder.SpringApplicationBuilder

class KotlinExamplesTest {

    @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.inMemory(3)

    @Test
    fun theStockCountsRight(one: Holdfast, other: Holdfast) = runBlocking(Dispatchers.Default) {
        withTimeout(60.seconds) {
            val store = Store()
            val stocks = listOf(Stock(one, store), Stock(other, store))
            List(8) { launch { stocks[it % 2].add("tea") } }.joinAll()
            assertThat(store.count("tea")).isEqualTo(8)

            stocks[0].move("tea", "coffee")
            assertThat(stocks[1].addIfFree("coffee")).isTrue()
            assertThat(store.count("tea") to store.count("coffee")).isEqualTo(7 to 2)

            val loaded = ConcurrentLinkedQueue<String>()
            stocks[0].import(listOf("tea", "coffee")) { loaded += it }
            assertThat(loaded).containsExactly("tea", "coffee")

            val published = CompletableDeferred<Long>()
            val candidate = launch { stocks[0].report { published.complete(it) } }
            assertThat(published.await()).isPositive()
            candidate.cancelAndJoin()
            assertThatLock(one, "reports").isFree()
        }
        Unit
    }

    @Test
    fun theBeanShips() {
        SpringApplicationBuilder(ShippingApplication::class.java)
            .web(WebApplicationType.NONE)
            .properties("holdfast.nodes=memory:", "spring.main.banner-mode=off")
            .run()
            .use { context ->
                runBlocking {
                    context.getBean(Shipping::class.java).ship("42")
                    assertThat(context.getBean(Store::class.java).count("42")).isEqualTo(1)
                    assertThatLock(context.getBean(Holdfast::class.java), "orders:42").isFree()
                }
            }
    }
}
