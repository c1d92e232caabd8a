package dev.holdfast.lock;

/** Thrown if fewer nodes than a majority gave an answer that counts: they are unreachable, failing, too slow or quarantined. It is not known whether the lock is free. */
public final class NoQuorumException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    NoQuorumException(Refusal refusal) {
        super(refusal);
    }

    /** For a question that was no attempt. */
    NoQuorumException(String message, Refusal refusal) {
        super(message, refusal);
    }
}
