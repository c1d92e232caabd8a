package dev.holdfast.lock;

/**
 * Thrown if a thread would wait for a lock that it holds itself, through {@link DistributedLock#run}, {@link DistributedLock#call}, a recipe or a
 * view around it. Leases are not reentrant, so the wait would not end. The client sent no request.
 */
public final class SelfDeadlockException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public SelfDeadlockException(String message) {
        super(message);
    }
}
