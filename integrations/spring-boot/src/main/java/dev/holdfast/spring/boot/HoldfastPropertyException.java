package dev.holdfast.spring.boot;

import dev.holdfast.lock.HoldfastException;
import org.jspecify.annotations.Nullable;

/** Signals that a property is wrong or missing. The message names the property, its value unless it is secret, and the allowed values. */
public final class HoldfastPropertyException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final String property;
    private final String why;
    private final String remedy;

    HoldfastPropertyException(String property, String why, String remedy, @Nullable Throwable cause) {
        super(property + ": " + why + ". " + remedy);
        this.property = property;
        this.why = why;
        this.remedy = remedy;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Returns the full name of the property. */
    public String property() {
        return property;
    }

    /** Returns a description of the problem. */
    public String why() {
        return why;
    }

    /** Returns a suggestion for solving the problem. */
    public String remedy() {
        return remedy;
    }
}
