package dev.holdfast.lock;

/** What Holdfast throws beyond {@link IllegalArgumentException} and {@link InterruptedException}. */
public class HoldfastException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public HoldfastException(String message) {
        super(message);
    }
}
