package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisTlsTest {

    @TempDir
    static Path directory;

    private static TestAuthority authority;

    @BeforeAll
    static void found() {
        authority = TestAuthority.in(directory);
    }

    @Test
    void aServerProvesWhoItIs() throws Exception {
        TlsFiles files = authority.certify("server");
        try (RedisProcess server = start(files);
                RedisConsole console = RedisConsole.over(connect(server, files))) {
            assertThat(server.tlsUri()).hasScheme("rediss");
            assertThat(console.send("PING")).isEqualTo("PONG");
            assertThat(server.send("PING")).as("the plain port stays").isEqualTo("PONG");
        }
    }

    @Test
    void badCertificatesAreRefused() throws Exception {
        for (TlsFiles files : List.of(
                authority.certify("other", "DNS:elsewhere.example", -1, 2),
                authority.certify("old", "IP:127.0.0.1", -3, 1),
                authority.certify("early", "IP:127.0.0.1", 1, 2))) {
            try (RedisProcess server = start(files)) {
                assertThatThrownBy(() -> RedisConsole.over(connect(server, files)))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void aClientThatMustShowACertificateAndHasNoneIsRefused() throws Exception {
        TlsFiles files = authority.certify("mutual").mutual();
        try (RedisProcess server = start(files)) {
            assertThatThrownBy(() -> RedisConsole.over(connect(server, files)).send("PING"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void withoutTlsThereIsNoSuchAddress() {
        try (RedisProcess server = RedisProcess.start()) {
            assertThatThrownBy(server::tlsUri).hasMessageContaining("without TLS");
        }
    }

    private static RedisProcess start(TlsFiles files) {
        try {
            return RedisProcess.start(RedisOptions.defaults().tls(files));
        } catch (RedisStartException e) {
            Assumptions.assumeFalse(
                    String.valueOf(e.getMessage()).contains("'tls-port"), "this server was built without TLS");
            throw e;
        }
    }

    private static SSLSocket connect(RedisProcess server, TlsFiles files) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(files.authority())) {
            trusted.setCertificateEntry(
                    "it", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", server.tlsUri().getPort());
        socket.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
