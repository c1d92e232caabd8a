package dev.holdfast.kotlin

import dev.holdfast.internal.thread.CurrentLease
import dev.holdfast.internal.thread.ThreadLeases
import dev.holdfast.lock.Lease
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.ThreadContextElement

/**
 * The leases of a scope, as a part of the context of its coroutines. Every thread that runs one of these coroutines counts as a holder of the leases
 * meanwhile. Each instance has its own key, so that scopes can be nested.
 */
internal class HeldLeases private constructor(
    private val leases: List<Lease>,
    private val current: Lease?,
) : AbstractCoroutineContextElement(object : CoroutineContext.Key<HeldLeases> {}), ThreadContextElement<Lease?> {

    companion object {

        /** Holds one lease, which is the current one of the threads. */
        fun current(lease: Lease) = HeldLeases(listOf(), lease)

        /** Holds leases of which none is the current one. */
        fun all(leases: List<Lease>) = HeldLeases(leases, null)
    }

    override fun updateThreadContext(context: CoroutineContext): Lease? {
        leases.forEach(ThreadLeases::add)
        return current?.let(CurrentLease::enter)
    }

    override fun restoreThreadContext(context: CoroutineContext, oldState: Lease?) {
        current?.let { CurrentLease.leave(it, oldState) }
        leases.forEach(ThreadLeases::remove)
    }
}
