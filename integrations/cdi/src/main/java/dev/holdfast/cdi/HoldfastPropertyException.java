package dev.holdfast.cdi;

import dev.holdfast.lock.HoldfastException;
import org.jspecify.annotations.Nullable;

/** Signals that a property of the application's client is missing or wrong. The message names the property, the problem and a remedy. */
public final class HoldfastPropertyException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final String property;

    /**
     * Creates an exception about one property.
     *
     * @param property the full name of the property
     * @param what the problem, as a sentence with or without its full stop
     * @param remedy the remedy, as a sentence without its full stop
     */
    public HoldfastPropertyException(String property, String what, String remedy, @Nullable Throwable cause) {
        super(property + ": " + what + (what.endsWith(".") ? " " : ". ") + remedy + ".");
        this.property = property;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Returns the full name of the property. */
    public String property() {
        return property;
    }
}
