package dev.holdfast.postgresql;

import java.sql.SQLException;

/** A reason why the node must not be used as it is set up. The message says what is wrong and what would be right. */
final class SetupException extends Exception {

    static final String NO_RIGHT = "42501";

    private static final long serialVersionUID = 1;

    SetupException(String message) {
        super(message);
    }

    /** Returns what a server or the driver reports, in one line. */
    static String line(Throwable thrown) {
        String message =
                thrown instanceof SQLException && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
        return message.lines().findFirst().orElse("").replaceFirst("^(ERROR|FATAL): ", "");
    }
}
