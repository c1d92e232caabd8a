package dev.holdfast.lock;

/** The superclass of the exceptions of Holdfast. Bad arguments are {@link IllegalArgumentException}s instead, interrupts {@link InterruptedException}s. */
public class HoldfastException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public HoldfastException(String message) {
        super(message);
    }
}
