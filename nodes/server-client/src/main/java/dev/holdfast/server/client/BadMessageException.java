package dev.holdfast.server.client;

/** The exception for a text that is not a message of the node protocol. Its message says why, and quotes nothing of the text except the names of fields. */
public final class BadMessageException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    BadMessageException(String message) {
        super(message);
    }
}
