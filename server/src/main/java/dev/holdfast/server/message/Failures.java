package dev.holdfast.server.message;

import dev.holdfast.lock.HoldfastClosedException;
import java.lang.System.Logger.Level;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;

/** The conversion of failures into the {@link Problem} for the client. An unexpected failure is logged, and its answer contains no details. */
public final class Failures {

    private static final System.Logger LOG = ServerLogger.get();

    private Failures() {}

    public static Problem problem(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Problem problem) {
            return problem;
        }
        if (cause instanceof HoldfastClosedException || cause instanceof CancellationException) {
            return Problem.stopping();
        }
        if (cause instanceof EofException || cause instanceof HttpException) { // the client's fault: not logged
            return Problem.badRequest(
                    "The request is not valid HTTP, or the client closed the connection before its end.");
        }
        LOG.log(Level.ERROR, "A request failed", cause);
        return new Problem(Problem.Kind.INTERNAL, "The server failed; its log says why.");
    }

    /** Returns the message of an exception for people, as a sentence. */
    public static String sentence(RuntimeException e) {
        String message = Printable.of(String.valueOf(e.getMessage()), 500);
        return message.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + message.substring(1) + ".";
    }
}
