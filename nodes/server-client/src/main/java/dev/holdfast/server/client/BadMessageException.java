package dev.holdfast.server.client;

/** A message is not one of the node protocol; the text says why, and quotes nothing of it but names of fields. */
public final class BadMessageException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    BadMessageException(String message) {
        super(message);
    }
}
