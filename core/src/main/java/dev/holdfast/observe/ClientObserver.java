package dev.holdfast.observe;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;

/**
 * An observer of what a client does. Each method is called when something begins, and returns the observer of its end. A method that is not
 * overridden observes nothing and costs nothing.
 *
 * <p>{@link #attempt} is called on the thread that acquires the lock, the others on threads of nodes and timers, in the middle of a lease's steps. An
 * implementation must be thread-safe, return at once and not block. What it throws is logged and has no other effect. It may close the
 * client: {@link dev.holdfast.Holdfast#close} does not wait for the nodes then.
 */
public interface ClientObserver {

    /**
     * Observes the begin of an attempt, on the thread that acquires the lock.
     *
     * @param lock the lock's name, without the key prefix
     * @param mode the requested mode
     * @return the observer of this attempt and of the lease that comes of it, never null
     */
    default LeaseObserver attempt(String lock, LockMode mode) {
        return LeaseObserver.NONE;
    }

    /**
     * Observes a lease that was lost while it was held, or had ended when it was released; every such lease, whether {@link #attempt} was observed or not.
     *
     * @param loss why
     * @param mode the mode of the lease
     * @param token the fencing token of the lease
     */
    default void lost(Loss loss, LockMode mode, long token) {}

    /**
     * Observes the begin of an extension. One extension may be for several holders that hand a lease over.
     *
     * @param lock the lock's name, without the key prefix
     * @param mode the mode of the lease
     * @return the observer of its outcome, never null
     */
    default ExtensionObserver extension(String lock, LockMode mode) {
        return ExtensionObserver.NONE;
    }

    /**
     * Observes the begin of a request to a node for a vote or its release. Requests of {@link dev.holdfast.HoldfastAdmin} are not observed.
     *
     * @param node the node's name, without user and password
     * @param operation the kind of request
     * @return the observer of the node's answer, or of its timeout; never null
     */
    default RequestObserver request(String node, NodeOperation operation) {
        return RequestObserver.NONE;
    }
}
