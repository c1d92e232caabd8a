package dev.holdfast.cluster;

/** The exception for an entry or a snapshot that this release cannot read. The server stops, since it must not skip what the others apply. */
final class UnreadableException extends RuntimeException {

    UnreadableException(String message) {
        super(message);
    }
}
