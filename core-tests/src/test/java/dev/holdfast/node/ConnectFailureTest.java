package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ConnectFailureTest {

    private static Throwable caused(Throwable outer, Throwable inner) {
        outer.initCause(inner);
        return outer;
    }

    private static Throwable tls(String message) {
        return new CompletionException(
                caused(new SSLHandshakeException("PKIX path"), new CertificateException(message)));
    }

    @Test
    void everyFailureHasPlainWords() {
        Map<Throwable, String> failures = Map.ofEntries(
                Map.entry(caused(new IOException("x"), new UnknownHostException("a")), "the host is unknown"),
                Map.entry(caused(new ConnectException(), new UnresolvedAddressException()), "the host is unknown"),
                Map.entry(caused(new ConnectException(), new ClosedChannelException()), "connection refused"),
                Map.entry(new CompletionException(new ConnectException("Connection refused")), "connection refused"),
                Map.entry(new SocketException("Connection reset"), "the server reset the connection"),
                Map.entry(new SocketException(), "the connection was closed"),
                Map.entry(new CancellationException(), "the connection was closed"),
                Map.entry(new NoRouteToHostException(), "there is no route to the host"),
                Map.entry(new TimeoutException(), "no answer in time"),
                Map.entry(new IOException("HTTP/1.1 header parser received no bytes"), "the connection was closed"),
                Map.entry(tls("unable to find valid certification path to requested target"), "is not trusted"),
                Map.entry(tls("Signature does not match."), "is not trusted"),
                Map.entry(tls("No subject alternative names matching IP address 10.0.0.1 found"), "for another host"),
                Map.entry(
                        caused(new SSLException("PKIX"), new CertificateExpiredException("NotAfter: Mon Nov 23")),
                        "TLS failed: the server's certificate has expired"),
                Map.entry(new SSLException("Received fatal alert: certificate_required"), "wants a client certificate"),
                Map.entry(new SSLException("not an SSL/TLS record: 4854"), "does not speak TLS at this port"));

        failures.forEach((failure, words) -> assertThat(ConnectFailure.words(failure))
                .contains(words)
                .doesNotContain("--")); // a program has its own names for its options
    }

    @Test
    void unknownMessagesStayAndNamesOfClassesDoNot() {
        assertThat(ConnectFailure.words(new IOException("the disk is on fire"))).isEqualTo("the disk is on fire");
        assertThat(ConnectFailure.words(new CompletionException(new IOException("the disk is on fire"))))
                .isEqualTo("the disk is on fire");
        assertThat(ConnectFailure.words(new IOException(new IllegalStateException())))
                .isEqualTo("the connection was closed");
        assertThat(ConnectFailure.words(new IllegalArgumentException("the file x: permission denied by y")))
                .isEqualTo("the file x: permission denied by y");
    }

    @Test
    void onlyWordsWithoutAReasonAreUnexplained() {
        assertThat(List.of(new ClosedChannelException(), new SocketException("Connection reset by peer")))
                .allMatch(failure -> ConnectFailure.isUnexplained(ConnectFailure.words(failure)));
        assertThat(ConnectFailure.isUnexplained(ConnectFailure.words(new UnknownHostException())))
                .isFalse();
    }
}
