package dev.holdfast.server;

import io.javalin.http.Context;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who may come in. Thread-safe. */
final class Gate {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String ANY = "*/*";

    /** Refuses what no caller may ask; then says who the caller is. */
    Caller admit(Context context, @Nullable Right right) {
        requireHost(context);
        return new Caller(context.ip(), List.of(""), EnumSet.allOf(Right.class));
    }

    /** A page in a browser on this machine must not reach the server under a name of its own (DNS rebinding). */
    private static void requireHost(Context context) {
        String host = context.header("Host");
        String name = host == null ? "" : host.replaceAll(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        if (!LOOPBACK_HOSTS.contains(name)) {
            throw new Problem(
                    Problem.Kind.MISDIRECTED,
                    "The request is for the host '" + Shown.of(name) + "', but without tokens this server answers as "
                            + "localhost only.");
        }
    }

    /** Refuses who would not take the form of the answer. */
    static void requireAccepts(Context context, String type) {
        String accept = context.header("Accept");
        if (accept == null || accept.isBlank()) {
            return;
        }
        String family = type.substring(0, type.indexOf('/')) + "/*";
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";");
            String wanted = parts[0].strip();
            boolean never = range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
            if (!never && (wanted.equals(ANY) || wanted.equals(type) || wanted.equals(family))) {
                return;
            }
        }
        throw new Problem(Problem.Kind.NOT_ACCEPTABLE, "The answer is " + type + ".");
    }
}
