package dev.holdfast.redis.connection;

import dev.holdfast.node.ConnectFailure;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.redis.script.Printable;
import dev.holdfast.redis.script.Reply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * A problem at a server or on the way to it, in words for people.
 *
 * @param reason the problem in words
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

    /** The reason of a connection that ended during Lettuce's own handshake. */
    private static final String CLOSED_AT_ONCE = "the server closed the connection at once";

    private static final String NO_MEMBER = "Cannot retrieve cluster partitions";
    private static final String NO_MEMBER_ANSWERS = "no member of the cluster answers at these addresses";
    private static final String NO_ANSWER = "no answer in time";

    private static final String ANOTHER_PROTOCOL =
            "the server is not a Redis server: it speaks another protocol; check the host and the port";

    /** A part of one of Lettuce's own messages, and what it means. */
    private record Phrase(String part, String meaning) {}

    private static final List<Phrase> OF_LETTUCE = List.of(
            new Phrase("Connection closed prematurely", CLOSED_AT_ONCE),
            new Phrase("RedisHandshakeHandler not registered", CLOSED_AT_ONCE),
            new Phrase("Invalid first byte: 21 ", "the server expects TLS; write rediss://"),
            new Phrase("Invalid first byte", ANOTHER_PROTOCOL),
            new Phrase("Cannot parse", ANOTHER_PROTOCOL), // the list of a cluster's members
            new Phrase("handshake timed out", NO_ANSWER), // of TLS
            new Phrase("unexpected answer [TIME]", ANOTHER_PROTOCOL), // from a server that sends back what it gets
            new Phrase(
                    "decrypt_error", "TLS failed: the key is not that of the client certificate (clientCertificate)"),
            new Phrase("cluster support disabled", "the server is not in cluster mode; write redis://"),
            new Phrase(
                    "SENTINEL MASTER",
                    "no sentinel at these addresses knows the master; check the addresses and the name"),
            new Phrase(NO_MEMBER, NO_MEMBER_ANSWERS),
            new Phrase("DB index is out of range", "the server has no database of this number; use a smaller one"));

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
     * Returns the problem behind an exception: an error that the server itself reported, what Lettuce noticed, or the failure of the connection.
     */
    public static ServerProblem of(Throwable thrown) {
        boolean ofSentinel = false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            ofSentinel |= message.contains("Cannot connect Redis Sentinel");
            if (cause instanceof RedisCommandExecutionException || RedisConnectionException.isProtectedMode(message)) {
                return ofSentinel ? ofAnswer(message).ofSentinel() : ofAnswer(message);
            }
            if (message.contains(NO_MEMBER)) { // Lettuce keeps the failure of each member
                for (Throwable member : cause.getSuppressed()) {
                    if (explains(member)) {
                        return of(member);
                    }
                }
            }
        }
        return new ServerProblem(Printable.shortened(words(thrown), 300), false, false);
    }

    /** Returns whether a failure says more than that there is no connection: the server refused, its host is unknown, or TLS failed. */
    private static boolean explains(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException
                    || cause instanceof SSLException
                    || cause instanceof UnknownHostException
                    || isImpossibleHost(cause)) {
                return true;
            }
        }
        return false;
    }

    private ServerProblem ofSentinel() {
        return new ServerProblem(reason.replaceFirst("^the server", "the sentinel"), executedNothing, setup);
    }

    private static String words(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (isImpossibleHost(cause)) {
                return ConnectFailure.words(new UnknownHostException());
            }
            String words = isForeignGreeting(cause) ? ANOTHER_PROTOCOL : ofLettuce(String.valueOf(cause.getMessage()));
            if (!words.isEmpty()) {
                return words;
            }
        }
        return ConnectFailure.words(thrown);
    }

    /** Returns whether a name is none that a host can have, such as one with an empty part, so that Netty asks no name server about it. */
    private static boolean isImpossibleHost(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return cause instanceof IllegalArgumentException
                && trace.length > 0
                && trace[0].getClassName().equals("java.net.IDN");
    }

    /** Returns whether Lettuce's handshake failed on an answer that no Redis server gives, such as a line instead of a map. */
    private static boolean isForeignGreeting(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return (cause instanceof NullPointerException || cause instanceof ClassCastException)
                && trace.length > 0
                && trace[0].getClassName().startsWith("io.lettuce.core.RedisHandshake");
    }

    private static String ofLettuce(String message) {
        return OF_LETTUCE.stream()
                .filter(phrase -> message.contains(phrase.part))
                .map(Phrase::meaning)
                .findFirst()
                .orElse("");
    }

    private static ServerProblem ofAnswer(String message) {
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
        if (NO_RIGHT.matcher(message).find()) { // in a script, which may have done a part of its work
            return new ServerProblem(
                    NO_RIGHT_WORDS + commandOf(message) + " (" + Printable.shortened(message, 160) + ")", false, true);
        }
        boolean full = message.contains("max number of clients");
        return new ServerProblem(
                full ? "the server has too many clients" : Printable.shortened(answer(message), 300), full, false);
    }

    private static String answer(String message) {
        String known = ofLettuce(message);
        if (known.isEmpty()) {
            return message.isBlank() ? "the server answered with an error that has no message" : message;
        }
        return known;
    }

    /** Returns the command that the user is not allowed to run, if the server names only the line of a script; empty if the server says more. */
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

    /** Returns whether the server answered, with an error or with nonsense; otherwise the connection ended. */
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
     * Returns whether the server may have reported the problem. A server that refuses a password closes the connection at once, and
     * Lettuce may see the end before the answer.
     */
    boolean mayHideAnAnswer() {
        return reason.startsWith(CLOSED_AT_ONCE);
    }

    /** Returns the problem with a hint, if the server ended the connection without an answer: it may expect, or not speak, TLS. */
    ServerProblem withHint(String hint) {
        boolean unexplained =
                List.of(CLOSED_AT_ONCE, NO_MEMBER_ANSWERS).contains(reason) || ConnectFailure.isUnexplained(reason);
        return unexplained && !hint.isEmpty() ? new ServerProblem(reason + "; " + hint, executedNothing, setup) : this;
    }

    /** Returns the right that the user lacks, without the server's own words; empty for another problem. */
    Optional<String> missingRight() {
        return setup && reason.startsWith(NO_RIGHT_WORDS)
                ? Optional.of(reason.replaceFirst(" \\(.*", ""))
                : Optional.empty();
    }

    /** Returns whether the time for an answer passed, and nothing else is known. */
    boolean isNoAnswer() {
        return reason.equals(NO_ANSWER);
    }

    /** Returns the problem as the answer to a request that was sent. */
    public Unavailable unavailable() {
        return new Unavailable(reason, !executedNothing);
    }
}
