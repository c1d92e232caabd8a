package dev.holdfast.redis.connection;

import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.redis.script.Printable;
import dev.holdfast.redis.script.Reply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * A problem at a server or on the way to it, in words for people.
 *
 * @param reason the event
 * @param executedNothing whether the server certainly did nothing
 * @param setup whether only a change of the setup helps: credentials, rights, a replica
 */
public record ServerProblem(String reason, boolean executedNothing, boolean setup) {

    /** In a script of Redis 6.2 the error of a command is wrapped in the words of Lua, with the code after a dash. */
    private static final Pattern WRAPPED_CODE = Pattern.compile("(?:^|[: ]-?)([A-Z]{2,})(?= |$)");

    private static final String NO_RIGHT_WORDS = "the user lacks a right at the server";

    private static final Pattern NO_RIGHT =
            Pattern.compile("can't run this command|No permissions? to|has no permissions", Pattern.CASE_INSENSITIVE);

    /** The name of a script, and a line in it, as Redis 6.2 and 7 write them. */
    private static final Pattern SCRIPT = Pattern.compile("(?:f_|script: )([0-9a-f]{40})");

    private static final Pattern LINE = Pattern.compile("user_script:\\s?(\\d{1,6})");

    /** Lettuce's words for a connection that ended during its own handshake. */
    private static final Set<String> CLOSED_BY_SERVER =
            Set.of("Connection closed prematurely", "RedisHandshakeHandler not registered");

    private record Known(String code, String words, boolean setup) {}

    private static final List<Known> KNOWN = List.of(
            new Known("BUSY", "the server is busy with another client's script", false),
            new Known("LOADING", "the server is still loading its data", false),
            new Known("MISCONF", "the server refuses writes, since it can't save to disk", false),
            new Known("OOM", "the server has reached its maxmemory", false),
            new Known("READONLY", "the server is a read-only replica; name its master", true),
            new Known("MASTERDOWN", "the server is a replica that has lost its master", true),
            new Known("NOREPLICAS", "the server refuses writes, since it has too few replicas", false),
            new Known("CLUSTERDOWN", "the cluster is down", false),
            new Known("MOVED", "the server is a member of a Redis Cluster; use redis-cluster://", true),
            new Known("ASK", "the cluster is moving this key", false),
            new Known("TRYAGAIN", "the cluster is moving these keys", false),
            new Known("NOSCRIPT", "the server no longer has the script", false),
            new Known("NOAUTH", "the server wants a password", true),
            new Known("WRONGPASS", "the server refuses the user or the password", true),
            new Known("NOPERM", NO_RIGHT_WORDS, true),
            new Known("NOPROTO", "the server does not speak RESP3; Redis 6.2 or later is needed", true),
            new Known("DENIED", "the server is in protected mode", true));

    /**
     * Returns the problem behind an exception. The innermost cause says most, such as an untrusted certificate, unless the server itself
     * reported an error.
     */
    public static ServerProblem of(Throwable thrown) {
        Throwable root = thrown;
        String where = "";
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof RedisCommandExecutionException || RedisConnectionException.isProtectedMode(message)) {
                return ofAnswer(message, cause);
            }
            where = cause instanceof SSLException ? "TLS failed: " : where;
            root = cause;
        }
        return new ServerProblem(isClosing(root) ? "the connection was closed" : where + words(root), false, false);
    }

    /** Returns whether the cause has no message of its own: the name of Netty's class means nothing to people. */
    private static boolean isClosing(Throwable root) {
        return root instanceof CancellationException || root instanceof ClosedChannelException;
    }

    private static ServerProblem ofAnswer(String message, Throwable cause) {
        Matcher matcher = WRAPPED_CODE.matcher(message);
        while (matcher.find()) {
            String code = matcher.group(1);
            for (Known known : KNOWN) {
                if (known.code.equals(code)) {
                    return new ServerProblem(
                            known.words + commandOf(message) + " (" + Printable.shortened(message, 160) + ")",
                            true,
                            known.setup);
                }
            }
        }
        if (NO_RIGHT.matcher(message).find()) { // within a script, which may have done a part
            return new ServerProblem(
                    NO_RIGHT_WORDS + commandOf(message) + " (" + Printable.shortened(message, 160) + ")", false, true);
        }
        boolean full = message.contains("max number of clients");
        return new ServerProblem(full ? "the server has too many clients" : words(cause), full, false);
    }

    /** Returns the command that the user may not run, if the server names only the line of a script; empty if the server says more. */
    private static String commandOf(String message) {
        Matcher script = SCRIPT.matcher(message);
        if (!NO_RIGHT.matcher(message).find()) {
            return "";
        }
        String command = "";
        if (script.find()) { // an error that the script passes on names the line of the command before that of the
            // script's own call
            Matcher line = LINE.matcher(message);
            while (command.isEmpty() && line.find()) {
                command = LuaScript.commandAt(script.group(1), Integer.parseInt(line.group(1)));
            }
        } else if (!message.startsWith("NOPERM")) { // the one command whose errors scripts return as they are
            command = "GET";
        }
        if (command.isEmpty()) {
            return message.startsWith("NOPERM") ? "" : "; docs/guides/operations.md lists those that it needs";
        }
        return ": " + command + ", or a key that it names";
    }

    private static String words(Throwable thrown) {
        String message = thrown.getMessage();
        String kind = thrown.getClass().getSimpleName();
        return Printable.shortened(message == null || message.isEmpty() ? kind : message, 300);
    }

    /** Returns whether the server itself reported the error, even nonsense; otherwise the connection ended. */
    public static boolean isAnswer(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        return cause instanceof RedisCommandExecutionException || cause instanceof Reply.UnexpectedReplyException;
    }

    static Throwable unwrapped(Throwable thrown) {
        Throwable inner = thrown;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Returns whether the server may have reported the problem. One that refuses a password closes the connection at once, and Lettuce may
     * see the end before the answer.
     */
    boolean mayHideAnAnswer() {
        return CLOSED_BY_SERVER.contains(reason);
    }

    /** Returns the right that the user lacks, without the server's own words; empty for another problem. */
    Optional<String> missingRight() {
        return setup && reason.startsWith(NO_RIGHT_WORDS)
                ? Optional.of(reason.replaceFirst(" \\(.*", ""))
                : Optional.empty();
    }

    /** Returns the problem as the answer to a request that was sent. */
    public Unavailable unavailable() {
        return new Unavailable(reason, !executedNothing);
    }
}
