package dev.holdfast.node;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a connection to a server failed, in words for the person who set it up. It names settings as {@link NodeOptions} does. The exceptions of Java and of network libraries are written for
 * developers: their messages name classes, bytes and states.
 */
public final class ConnectFailure {

    private static final String CLOSED = "the connection was closed";
    private static final String RESET = "the server reset the connection";
    private static final String REFUSED = "connection refused: no server listens at this address";
    private static final String UNTRUSTED =
            "the server's certificate is not trusted; pass the certificate of its CA (trustedCertificates)";
    private static final String ANOTHER_HOST =
            "the server's certificate is for another host; use a name or an address in that certificate";
    private static final String NO_TLS = "the server does not speak TLS at this port; use its TLS port, or no TLS";
    private static final String NO_ROUTE = "there is no route to the host; check its address and the network";
    private static final String TLS = "TLS failed: ";

    /** A part of a message, in lower case, and its meaning for the user. */
    private record Phrase(String part, String meaning) {}

    private static final List<Phrase> OF_TLS = List.of(
            new Phrase("valid certification path", UNTRUSTED),
            new Phrase("path does not chain", UNTRUSTED),
            new Phrase("signature", UNTRUSTED),
            new Phrase("no subject alternative", ANOTHER_HOST),
            new Phrase("no name matching", ANOTHER_HOST),
            new Phrase("unexpected handshake message", NO_TLS),
            new Phrase("certificate_required", "the server wants a client certificate (clientCertificate)"),
            new Phrase(
                    "bad_certificate", "the server rejects the client certificate, or wants one (clientCertificate)"),
            new Phrase("unknown_ca", "the server does not trust the client certificate; use one of its CA"),
            new Phrase("protocol_version", "the server and this client share no version of TLS"),
            new Phrase("handshake_failure", "the server and this client share no cipher, or it wants a certificate"),
            new Phrase("not an ssl/tls record", NO_TLS),
            new Phrase("unsupported or unrecognized ssl message", NO_TLS),
            new Phrase("plaintext connection", NO_TLS));

    private static final List<Phrase> OF_SOCKETS = List.of(
            new Phrase("connection refused", REFUSED),
            new Phrase("connection reset", RESET),
            new Phrase("broken pipe", CLOSED),
            new Phrase("no such file or directory", "the socket file does not exist; is the server running?"),
            new Phrase("permission denied", "permission denied"),
            new Phrase("no route to host", NO_ROUTE),
            new Phrase("network is unreachable", NO_ROUTE),
            new Phrase("timed out", "no answer in time"),
            new Phrase("eof reached while reading", CLOSED),
            new Phrase("header parser received no bytes", CLOSED),
            new Phrase("invalid status line", "the server does not speak HTTP; check the host and the port"));

    private ConnectFailure() {}

    /** Returns the reason for a failure in a few words, with advice if the remedy is known, and without class names or a final period. */
    public static String words(Throwable failure) {
        boolean tls = false;
        String words = "";
        for (Throwable cause = failure; cause != null; cause = next(cause)) {
            if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
                return "the host is unknown; check its name";
            }
            if (cause instanceof ConnectException && cause.getMessage() == null && !isUnresolved(cause)) {
                return REFUSED; // as Java's HTTP client reports it
            }
            if (cause instanceof CertificateExpiredException) {
                return TLS + "the server's certificate has expired, or a clock is wrong";
            }
            if (cause instanceof CertificateNotYetValidException) {
                return TLS + "the server's certificate is not valid yet, or a clock is wrong";
            }
            tls = tls || cause instanceof SSLException;
            String own = ofOne(cause, tls);
            words = own.isEmpty() ? words : own;
        }
        String reason = words.isEmpty() ? CLOSED : words;
        return tls ? TLS + reason : reason;
    }

    /** Returns whether these words say only that the connection has ended. A caller should then add a hint at the possible cause. */
    public static boolean isUnexplained(String words) {
        return words.equals(CLOSED) || words.equals(RESET);
    }

    private static boolean isUnresolved(Throwable cause) {
        return cause.getCause() instanceof UnresolvedAddressException;
    }

    private static @Nullable Throwable next(Throwable cause) {
        return cause.getCause() == cause ? null : cause.getCause();
    }

    /** Returns the words of one exception of a chain; empty if it says nothing. */
    private static String ofOne(Throwable cause, boolean tls) {
        if (cause instanceof ClosedChannelException || cause instanceof CancellationException) {
            return CLOSED;
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        if (cause instanceof IllegalArgumentException) { // a wrong setting, which the message explains
            return plain(message);
        }
        String lower = message.toLowerCase(Locale.ROOT);
        for (Phrase phrase : tls ? OF_TLS : OF_SOCKETS) {
            if (lower.contains(phrase.part)) {
                return phrase.meaning;
            }
        }
        if (cause instanceof NoRouteToHostException) {
            return NO_ROUTE;
        }
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        return cause instanceof SocketException && message.isEmpty() ? CLOSED : plain(message);
    }

    /** Returns the message, or an empty text if it only repeats another exception, whose text begins with the name of its class. */
    private static String plain(String message) {
        return message.matches("(?s)[a-z]+(\\.[\\w$]+)+(:.*)?") ? "" : message;
    }
}
