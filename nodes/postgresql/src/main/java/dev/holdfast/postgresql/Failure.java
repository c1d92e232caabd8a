package dev.holdfast.postgresql;

import dev.holdfast.node.ConnectFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.GT;

/**
 * The meaning of an error of the server or the driver.
 *
 * @param reason the error in one line, for people
 * @param maybeExecuted whether the server may have committed the statement, or still may
 * @param endsConnection whether the connection is unusable, or now leads to a different server
 * @param setup whether the node cannot work until its setup changes
 */
record Failure(String reason, boolean maybeExecuted, boolean endsConnection, boolean setup) {

    private static final String CHECK = "; check the host and the port";

    /** The driver's codes for bytes that no PostgreSQL server sends. */
    private static final Set<String> FOREIGN = Set.of("99999", "08P01");

    /** The driver's codes, without a cause, for a wrong parameter, a missing password, and a server without TLS. */
    private static final Set<String> UNFIT = Set.of("08001", "08004");

    /** Returns the failure of an attempt to connect. The driver's own words for it name neither the reason nor what to do. */
    static Failure ofConnecting(SQLException e) {
        Failure failure = of(e);
        String state = String.valueOf(e.getSQLState());
        Throwable cause = e.getCause();
        String reason = failure.reason;
        if (FOREIGN.contains(state)) {
            reason = "the server is not a PostgreSQL server" + CHECK;
        } else if (state.startsWith("08") && cause instanceof IOException && !(cause instanceof ConnectException)) {
            String words = ConnectFailure.words(cause);
            reason = words.contains("; ") ? words : words + CHECK;
        } else if (says(e, "Connection attempt timed out.")) {
            reason = "no answer while connecting" + CHECK;
        } else if (says(e, "Could not find a server with specified targetServerType: {0}", "primary")) {
            reason = "none of the hosts is a primary, and a hot standby cannot vote; promote one, or add the primary";
        } else if (UNFIT.contains(state) && cause == null) {
            return new Failure(reason, failure.maybeExecuted, failure.endsConnection, true);
        }
        return new Failure(reason, failure.maybeExecuted, failure.endsConnection, failure.setup);
    }

    /** Returns whether the exception has this message of the driver, which translates its messages. */
    private static boolean says(SQLException e, String message, Object... arguments) {
        return GT.tr(message, arguments).equals(e.getMessage());
    }

    static Failure of(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String line = SetupException.line(e);
        boolean isRefusedLogin = state.startsWith("28") || state.equals("3D000");
        boolean isMissing =
                state.equals("42883") || state.equals("42P01") || state.equals("3F000") || state.equals("42703");
        if (state.startsWith("08") && e.getCause() instanceof IOException cause) {
            line = ConnectFailure.words(cause); // the driver only says that an I/O error occurred
        } else if (state.equals(SetupException.NO_RIGHT)) {
            line += ". Grant the role USAGE on the schema and EXECUTE on all functions in it";
        } else if (isMissing) {
            line = "the schema is gone or was changed by hand: " + line;
        }
        // A server that answers with an error has rolled back. Without an answer, or when it shuts down, the result is
        // unknown.
        boolean isUnknown = state.isEmpty() || state.startsWith("08") || state.startsWith("57P");
        boolean isReadOnly = state.equals("25006");
        return new Failure(
                line,
                isUnknown,
                isUnknown || isMissing || isReadOnly || isRefusedLogin || state.startsWith("HF"),
                isRefusedLogin || isReadOnly || isMissing || state.equals(SetupException.NO_RIGHT));
    }
}
