package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.junit.LockNodes
import dev.holdfast.lock.Lease
import dev.holdfast.spring.Locked
import dev.holdfast.spring.LockedMethodException
import dev.holdfast.spring.boot.HoldfastAutoConfiguration
import dev.holdfast.spring.boot.HoldfastMethodAutoConfiguration
import kotlin.reflect.KClass
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Kotlin's records as keys: an `equals` that the compiler has made compares all components, and one in the source may ignore a difference. */
class KeysTest {

    @JvmField @RegisterExtension val nodes: LockNodes = LockNodes.inMemory(3)

    @JvmRecord data class Order(val id: String, val part: Int)

    @JvmRecord
    data class OrderInAnyCase(val id: String) {
        override fun equals(other: Any?) = other is OrderInAnyCase && id.equals(other.id, ignoreCase = true)

        override fun hashCode() = id.lowercase().hashCode()
    }

    @JvmRecord data class Around(val order: OrderInAnyCase)

    open class Orders {
        @Locked(name = "orders", key = "#order") open fun ship(order: Order, lease: Lease? = null): String = lease!!.name()
    }

    open class OrdersInAnyCase {
        @Locked(name = "orders", key = "#order") open fun ship(order: OrderInAnyCase) = Unit
    }

    open class OrdersAround {
        @Locked(name = "orders", key = "#order") open fun ship(order: Around) = Unit
    }

    open class AnyOrders {
        @Locked(name = "orders", key = "#order") open fun ship(order: Any) = Unit
    }

    private fun application(bean: KClass<*>): ApplicationContextRunner =
        ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(HoldfastAutoConfiguration::class.java, HoldfastMethodAutoConfiguration::class.java)
            )
            .withBean(Holdfast::class.java, { nodes.connect() })
            .withBean(bean.java)

    @Test
    fun equalRecordsAreOneLock() {
        application(Orders::class).run { context ->
            assertThat(context).hasNotFailed()
            val orders = context.getBean(Orders::class.java)

            assertThat(orders.ship(Order("A", 1))).isEqualTo(orders.ship(Order("A", 1))).isNotEqualTo(orders.ship(Order("A", 2)))
        }
    }

    @Test
    fun e25_aRecordWithItsOwnEqualsEndsTheStart() {
        listOf(OrdersInAnyCase::class, OrdersAround::class).forEach { bean ->
            application(bean).run { context ->
                val failure = generateSequence(context.startupFailure) { it.cause }.filterIsInstance<LockedMethodException>().first()
                assertThat(failure.message).contains("OrderInAnyCase, a record whose own equals method may ignore differences")
            }
        }
    }

    @Test
    fun e25_aRecordWithItsOwnEqualsIsRefusedAtTheCallIfItsTypeIsNotDeclared() {
        application(AnyOrders::class).run { context ->
            val orders = context.getBean(AnyOrders::class.java)
            orders.ship(Order("A", 1))

            assertThatThrownBy { orders.ship(OrderInAnyCase("a")) }
                .isInstanceOf(LockedMethodException::class.java)
                .hasMessageContaining("a record whose own equals method may ignore differences")
        }
    }
}
