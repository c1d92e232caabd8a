package dev.holdfast.lock;

/** A lock was not acquired; the {@link #refusal} says what every node answered. */
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

    /** Why, with the answer of every node. Not kept when the exception is serialized; its message is. */
    public Refusal refusal() {
        return refusal;
    }
}
