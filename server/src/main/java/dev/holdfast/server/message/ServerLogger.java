package dev.holdfast.server.message;

/**
 * The logger of all that the server itself has to say. Its name is not that of a part, so that it stays when parts move, and it is no parent of the
 * loggers for access and audit, so that a handler of it gets none of their lines.
 */
public final class ServerLogger {

    /** Its name. */
    public static final String NAME = "dev.holdfast.server.LockServer";

    private ServerLogger() {}

    public static System.Logger get() {
        return System.getLogger(NAME);
    }
}
