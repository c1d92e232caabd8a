package dev.holdfast.lock;

/**
 * The superclass of the exceptions of Holdfast. Invalid arguments cause an {@link IllegalArgumentException} instead, and interrupts an
 * {@link InterruptedException}.
 */
public class HoldfastException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public HoldfastException(String message) {
        super(message);
    }
}
