package dev.holdfast.lock;

/** Thrown if a lease is no longer valid because it was lost or released. */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public LeaseLostException(String message) {
        super(message);
    }
}
