package dev.holdfast.observe;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;

/**
 * Told what a client does, as it happens. Each method is told that something begins, and returns who is to be told of its end; what is not
 * overridden is not observed, and costs nothing.
 *
 * <p>Called where it happens: {@link #attempt} on the thread that asks for the lock, all else on threads of nodes and timers, in the midst of a lease's steps. So
 * an implementation is thread-safe, returns at once and does not block. What it throws is logged, and changes nothing. It may close the
 * client: {@link dev.holdfast.Holdfast#close} does not wait for the nodes then.
 */
public interface ClientObserver {

    /**
     * Somebody wants a lock, on whose thread this is called.
     *
     * @param lock the lock's name, as its user knows it
     * @return told of what comes of the attempt and then of the lease, never null
     */
    default LeaseObserver attempt(String lock, LockMode mode) {
        return LeaseObserver.NONE;
    }

    /**
     * A lease is lost that somebody had in hand, or was over when it was given back. Told of every one, also where {@link #attempt} was not observed.
     *
     * @param token the lease's fencing token
     */
    default void lost(Loss loss, LockMode mode, long token) {}

    /**
     * A lease is to last longer: the nodes are asked to let it. One extension may be for several holders that hand a lease on.
     *
     * @return told of what came of it, never null
     */
    default ExtensionObserver extension(String lock, LockMode mode) {
        return ExtensionObserver.NONE;
    }

    /**
     * A node is asked for a vote, or given one back. Not told of what is asked for people, such as a lock's status.
     *
     * @param node the node's name, without secrets
     * @return told of the node's answer, or that there was none in time; never null
     */
    default RequestObserver request(String node, NodeOperation operation) {
        return RequestObserver.NONE;
    }
}
