package dev.holdfast.spring.boot;

import dev.holdfast.lock.HoldfastException;

/** Signals that the application runs on a Spring Boot version that the starter does not support. */
public final class OldBootException extends HoldfastException {

    private static final long serialVersionUID = 1;

    static final String REMEDY = "Move the application to Spring Boot 3.5 or later.";

    private final String what;

    OldBootException(String version) {
        this(
                "Holdfast's starter needs Spring Boot 3.5 or later, but this application runs on " + version + ".",
                REMEDY);
    }

    private OldBootException(String what, String remedy) {
        super(what + " " + remedy);
        this.what = what;
    }

    /** Returns a description of the problem. */
    public String what() {
        return what;
    }
}
