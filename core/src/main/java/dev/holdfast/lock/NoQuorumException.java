package dev.holdfast.lock;

/**
 * Thrown if fewer nodes than a majority gave an answer that counts. The other nodes are unreachable, failing, too slow or quarantined. The client
 * cannot know whether the lock is free.
 */
public final class NoQuorumException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    NoQuorumException(Refusal refusal) {
        super(refusal);
    }

    /** Creates an exception for a query that is not an attempt to acquire the lock. */
    NoQuorumException(String message, Refusal refusal) {
        super(message, refusal);
    }
}
