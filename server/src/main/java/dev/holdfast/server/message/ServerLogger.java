package dev.holdfast.server.message;

/**
 * The logger for the server's own messages. Its name is independent of the parts, so that it stays the same when parts move. It is not a parent of
 * the loggers for access and audit, so its handlers receive none of their lines.
 */
public final class ServerLogger {

    /** The logger's name. */
    public static final String NAME = "dev.holdfast.server.LockServer";

    private ServerLogger() {}

    public static System.Logger get() {
        return System.getLogger(NAME);
    }
}
