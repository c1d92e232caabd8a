package dev.holdfast.spring.boot;

import dev.holdfast.lock.HoldfastException;
import org.jspecify.annotations.Nullable;

/** A property is wrong, or missing. The message names it, its value unless that is secret, and what it should be. */
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

    /** Returns its full name. */
    public String property() {
        return property;
    }

    /** What is wrong. */
    public String why() {
        return why;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
