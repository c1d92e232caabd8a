package dev.holdfast.observe;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;

/**
 * An observer of a client's work. The client calls a method when an operation begins, and the method returns an observer of the operation's end. A method that
 * is not overridden observes nothing and costs nothing.
 *
 * <p>The client calls {@link #attempt} on the thread that acquires the lock. It calls the other methods on threads of nodes and timers, in the middle
 * of a lease's steps. An implementation must be thread-safe, return at once and not block. If it throws an exception, the client logs it, and the
 * exception has no other effect. An implementation may close the client; {@link dev.holdfast.Holdfast#close} then does not wait for the nodes.
 */
public interface ClientObserver {

    /**
     * Observes the beginning of an attempt, on the thread that acquires the lock.
     *
     * @param lock the lock's name, without the key prefix
     * @param mode the requested mode
     * @return the observer of this attempt and its lease, never null
     */
    default LeaseObserver attempt(String lock, LockMode mode) {
        return LeaseObserver.NONE;
    }

    /**
     * Observes the beginning of a candidate's attempt to lead. The attempt lasts for as long as another candidate leads, so a long wait is normal. By default,
     * this method calls {@link #attempt}.
     *
     * @param lock the election's name, without the key prefix
     * @param mode the requested mode
     * @return the observer of this attempt and its lease, never null
     */
    default LeaseObserver candidacy(String lock, LockMode mode) {
        return attempt(lock, mode);
    }

    /**
     * Observes a lease that was lost during its hold, or had ended before its release. The client reports every such lease, even if {@link #attempt}
     * was not observed.
     *
     * @param loss the loss, with its reason
     * @param mode the mode of the lease
     * @param token the fencing token of the lease
     */
    default void lost(Loss loss, LockMode mode, long token) {}

    /**
     * Observes the beginning of an extension. One extension may serve several holders that hand a lease over.
     *
     * @param lock the lock's name, without the key prefix
     * @param mode the mode of the lease
     * @return the observer of its outcome, never null
     */
    default ExtensionObserver extension(String lock, LockMode mode) {
        return ExtensionObserver.NONE;
    }

    /**
     * Observes the beginning of a request to a node for a vote or its release. The client does not report requests of
     * {@link dev.holdfast.HoldfastAdmin}.
     *
     * @param node the node's name, without user and password
     * @param operation the kind of request
     * @return the observer of the node's answer, or of its timeout; never null
     */
    default RequestObserver request(String node, NodeOperation operation) {
        return RequestObserver.NONE;
    }
}
