package dev.holdfast.examples.kotlin

import dev.holdfast.lock.Lease
import dev.holdfast.spring.Locked
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.context.annotation.Bean
import org.springframework.stereotype.Service

/** A bean whose locked function suspends, as the guide shows it. */
@Service
open class Shipping(private val store: Store) {

    // recipe:begin
    @Locked(name = "orders", key = "#order", waitFor = "5s")
    open suspend fun ship(order: String, lease: Lease? = null) { // callers omit the lease
        store.write(order, 1, lease!!.fencingToken())
    }
    // recipe:end
}

/** The application of that bean. */
@SpringBootApplication
open class ShippingApplication {

    @Bean open fun store() = Store()
}
