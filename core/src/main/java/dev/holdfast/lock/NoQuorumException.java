package dev.holdfast.lock;

/** Fewer nodes than a majority gave an answer that counts: they are unreachable, unwell, too slow or in quarantine. Whether the lock is free is not known. */
public final class NoQuorumException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1;

    NoQuorumException(Refusal refusal) {
        super(refusal);
    }

    /** Of a question that was no attempt. */
    NoQuorumException(String message, Refusal refusal) {
        super(message, refusal);
    }
}
