package dev.holdfast.lock;

/**
 * A thread asked to wait for a lock that it holds itself, through {@link DistributedLock#run}, {@link DistributedLock#call}, a recipe or a view around it. Leases are not
 * reentrant, so the wait could not end. Nothing was asked of the nodes.
 */
public final class SelfDeadlockException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public SelfDeadlockException(String message) {
        super(message);
    }
}
