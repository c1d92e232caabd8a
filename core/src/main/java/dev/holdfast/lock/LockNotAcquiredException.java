package dev.holdfast.lock;

/** Thrown if a lock was not acquired. Its {@link #refusal} has the answer of every node. */
public sealed class LockNotAcquiredException extends HoldfastException
        permits LockTimeoutException, NoQuorumException, LockSealedException {

    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    LockNotAcquiredException(Refusal refusal) {
        this(refusal.message(), refusal);
    }

    LockNotAcquiredException(String message, Refusal refusal) {
        super(message);
        this.refusal = refusal;
    }

    /** Returns the reason, with the answer of every node. Serialization drops it and keeps the message. */
    public Refusal refusal() {
        return refusal;
    }
}
