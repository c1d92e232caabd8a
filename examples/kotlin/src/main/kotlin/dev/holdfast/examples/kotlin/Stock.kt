package dev.holdfast.examples.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.kotlin.awaitRelease
import dev.holdfast.kotlin.awaitTryAcquire
import dev.holdfast.kotlin.lead
import dev.holdfast.kotlin.withLock
import dev.holdfast.kotlin.withLocks
import dev.holdfast.kotlin.withPermit
import dev.holdfast.lock.Acquisition
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** A stock that rejects the writes of former holders by their tokens. */
class Store {

    private val counts = ConcurrentHashMap<String, Int>()
    private val tokens = ConcurrentHashMap<String, Long>()

    suspend fun count(item: String): Int {
        delay(1.milliseconds) // as a database does
        return counts[item] ?: 0
    }

    suspend fun write(item: String, count: Int, token: Long) {
        delay(1.milliseconds)
        check(tokens.merge(item, token, ::maxOf) == token) { "a later holder has written already" }
        counts[item] = count
    }
}

/** The use of locks in coroutines, as the guide shows it. */
class Stock(private val holdfast: Holdfast, private val store: Store) {

    suspend fun add(item: String): Int {
        // recipe:begin
        val lock = holdfast.lock("stock:$item")
        return lock.withLock(5.seconds) { lease ->
            val count = store.count(item) + 1
            store.write(item, count, lease.fencingToken()) // the store rejects smaller tokens
            count
        }
        // recipe:end
    }

    suspend fun addIfFree(item: String): Boolean {
        // recipe:begin
        val acquisition = holdfast.lock("stock:$item").awaitTryAcquire()
        if (acquisition !is Acquisition.Held) {
            return false // another client holds the lock
        }
        try {
            store.write(item, store.count(item) + 1, acquisition.lease.fencingToken())
        } finally {
            acquisition.lease.awaitRelease() // also in a cancelled coroutine
        }
        return true
        // recipe:end
    }

    suspend fun move(from: String, to: String) {
        // recipe:begin
        holdfast.locks("stock:$from", "stock:$to").withLocks(5.seconds) { leases ->
            launch { store.write(from, store.count(from) - 1, leases.fencingToken("stock:$from")) }
            launch { store.write(to, store.count(to) + 1, leases.fencingToken("stock:$to")) }
        } // both coroutines have ended here, and the locks are released
        // recipe:end
    }

    suspend fun import(items: List<String>, load: suspend (String) -> Unit) {
        // recipe:begin
        holdfast.semaphore("imports", 3).withPermit { permit ->
            for (item in items) {
                permit.ensureHeld()
                load(item)
            }
        }
        // recipe:end
    }

    suspend fun report(publish: suspend (Long) -> Unit) {
        // recipe:begin
        holdfast.election("reports").lead { leadership -> // until the coroutine is cancelled
            while (true) {
                publish(leadership.term())
                delay(10.seconds)
            }
        }
        // recipe:end
    }
}
