package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LogRecorder;
import dev.holdfast.server.Socket;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS from PEM files that change while the server runs. */
@Tag("slow")
class ServerTlsTest {

    @TempDir
    private static Path authorityFolder;

    private static TestAuthority authority;
    private static SSLContext trust;

    @TempDir
    private Path folder;

    private Path certificates;
    private Path key;
    private LockServer server;

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = TestAuthority.in(authorityFolder);
        authority.certify("first");
        authority.certify("second");
        trust = trusting(authorityFolder.resolve("authority.pem"));
    }

    @BeforeEach
    void choose() throws Exception {
        certificates = folder.resolve("server.pem");
        key = folder.resolve("server.key");
        put("first");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void put(String name) throws Exception {
        replace(certificates, Files.readString(authorityFolder.resolve(name + ".pem")));
        replace(key, Files.readString(authorityFolder.resolve(name + ".key")));
    }

    /** Replaces the file as tools that renew certificates do: never half a file. */
    private void replace(Path file, String text) throws Exception {
        Path fresh = Files.writeString(folder.resolve("fresh"), text);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private Http start() {
        server = LockServer.builder().port(0).tls(certificates, key).start();
        return https();
    }

    private Http https() {
        return new Http(
                server, java.net.http.HttpClient.newBuilder().sslContext(trust).build());
    }

    private static SSLContext trusting(Path authority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "a", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    /** Whose certificate a new connection is shown. */
    private String subject(String... protocols) throws Exception {
        try (SSLSocket socket = (SSLSocket)
                trust.getSocketFactory().createSocket("127.0.0.1", server.uri().getPort())) {
            socket.setSoTimeout((int) Http.PATIENCE.toMillis());
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            socket.startHandshake();
            Certificate shown = socket.getSession().getPeerCertificates()[0];
            return ((X509Certificate) shown).getSubjectX500Principal().getName();
        }
    }

    @Test
    void locksAreServedOverTls() throws Exception {
        Http https = start();

        assertThat(server.uri().getScheme()).isEqualTo("https");
        Reply lease = https.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> second = https.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 1);
        https.release(lease).is(200);
        second.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(201);
        assertThat(subject("TLSv1.2")).isEqualTo(subject("TLSv1.3")).isEqualTo("CN=first");
    }

    @Test
    void olderProtocolsAreNotSpoken() {
        TlsFiles files = new TlsFiles(
                certificates, key, dev.holdfast.time.Timing.system("test").ticker());
        try {
            files.handshakes().start();
            assertThat(files.handshakes().newSSLEngine().getEnabledProtocols())
                    .containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
            files.handshakes().stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void plainHttpIsNotAnswered() throws Exception {
        start();
        try (Socket socket = new Socket(server)) {
            socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(socket.readAll()).doesNotContain("HTTP/1.1 2");
        }
    }

    @Test
    void whoGoesWhileItWaitsOverTlsLeavesTheLine() throws Exception {
        Http https = start();
        https.acquire("{'lock':'a'}").is(201);
        SSLSocket socket = (SSLSocket)
                trust.getSocketFactory().createSocket("127.0.0.1", server.uri().getPort());
        try (socket) {
            String json = "{\"lock\":\"a\",\"wait\":\"50s\"}";
            socket.getOutputStream()
                    .write(("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: " + json.length() + "\r\n\r\n" + json)
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 1);
        }
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "Ed25519"})
    void otherKindsOfKeysAreTakenToo(String kind) throws Exception {
        authority.forKeys(kind).certify(kind);
        put(kind);

        start().get("/healthz").is(200);

        assertThat(subject()).isEqualTo("CN=" + kind);
    }

    @Test
    void aChainAndItsKeyMayStandInOneFile() throws Exception {
        replace(
                certificates,
                "a comment\n" + Files.readString(key) + Files.readString(certificates)
                        + Files.readString(authorityFolder.resolve("authority.pem")));
        key = certificates;

        start().get("/healthz").is(200);
    }

    // ---- changing while it runs

    @Test
    void aNewCertificateIsTakenOverWithoutARestart() throws Exception {
        Http before = start();
        before.acquire("{'lock':'a'}").is(201);

        put("second");
        server.reload();

        assertThat(subject()).isEqualTo("CN=second");
        before.get("/healthz").is(200); // on its old connection
        https().get("/healthz").is(200);
        assertThat(server.leases()).isEqualTo(1);
        assertThat(metrics()).contains("holdfast_server_reloads_total{outcome=\"done\",what=\"certificate\"} 1.0");
    }

    /** Browsers come back with TLS only, and no suite without forward secrecy and authenticated encryption is spoken. */
    @Test
    void onlyModernSuitesAreSpokenAndHstsIsSent() throws Exception {
        start();
        assertThat(https().get("/healthz").response().headers().firstValue("Strict-Transport-Security"))
                .contains("max-age=31536000");
        assertThat(https().get("/v1/nothing").response().headers().firstValue("Strict-Transport-Security"))
                .isPresent();
        handshake("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        String old = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"; // for the same key
        assertThatThrownBy(() -> handshake(old)).isInstanceOf(IOException.class);
    }

    private void handshake(String suite) throws IOException {
        try (SSLSocket socket = (SSLSocket)
                trust.getSocketFactory().createSocket("127.0.0.1", server.uri().getPort())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
        }
    }

    @Test
    void itIsSeenWithoutBeingAskedToLook() throws Exception {
        start();
        put("second");

        Awaitility.await().atMost(Http.PATIENCE).until(() -> subject().equals("CN=second"));
    }

    @Test
    void aBadNewOneLeavesTheOldOneInUseAndIsSaidOnce() throws Exception {
        start();
        long end = end();
        try (LogRecorder log = new LogRecorder(ServerLogger.NAME)) {
            replace(key, Files.readString(authorityFolder.resolve("second.key")));
            server.reload();
            server.reload();

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING")
                    .contains("certificate", "stays in use");
        }
        assertThat(subject()).isEqualTo("CN=first");
        assertThat(end()).isEqualTo(end);
        assertThat(metrics())
                .contains("holdfast_server_reload_failed{what=\"certificate\"} 1.0")
                .contains("holdfast_server_reloads_total{outcome=\"refused\",what=\"certificate\"} 1.0");

        put("second"); // the other half has come
        server.reload();
        assertThat(subject()).isEqualTo("CN=second");
        assertThat(metrics()).contains("holdfast_server_reload_failed{what=\"certificate\"} 0.0");
    }

    @Test
    void filesThatAreGoneForAWhileAreNoHarm() throws Exception {
        start();
        Files.delete(certificates);
        try (LogRecorder log = new LogRecorder(ServerLogger.NAME)) {
            server.reload();
            server.reload();
            assertThat(log.lines()).singleElement().asString().contains("does not exist");
        }
        assertThat(subject()).isEqualTo("CN=first");

        put("first");
        server.reload();
        assertThat(subject()).isEqualTo("CN=first");
        assertThat(metrics()).contains("holdfast_server_reload_failed{what=\"certificate\"} 0.0");
    }

    /** A clock that is ahead of the system's. */
    private static final class LaterTicker implements Ticker {

        private long laterMillis;

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + laterMillis;
        }
    }

    /** The clock of the authority may be ahead. Nothing changes in the files when the time has come. */
    @Test
    void aNewCertificateThatIsNotValidYetIsTakenOverOnceItIs() throws Exception {
        LaterTicker ticker = new LaterTicker();
        TlsFiles files = new TlsFiles(certificates, key, ticker);
        authority.certify("soon", "IP:127.0.0.1", 1, 3);
        put("soon");
        assertThatThrownBy(files::reload).hasMessageContaining("is valid from");
        ticker.laterMillis += 1_000;
        assertThat(files.reload()).as("said once").isFalse();

        ticker.laterMillis += Duration.ofDays(2).toMillis();
        assertThat(files.reload()).isTrue();
        assertThat(files.reload()).isFalse();
    }

    private String metrics() {
        return https().get("/metrics").is(200).response().body();
    }

    private long end() {
        String name = "holdfast_server_certificate_end_seconds ";
        String line =
                metrics().lines().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
        return (long) Double.parseDouble(line.substring(name.length()));
    }

    // ---- what is wrong with files

    private void isRefused(String... words) {
        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(words)
                .doesNotContain(secret());
    }

    /** Any part of the first key. */
    private static String secret() {
        try {
            return Files.readAllLines(authorityFolder.resolve("first.key"))
                    .get(1)
                    .substring(0, 12);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String block(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                + label + "-----\n";
    }

    @Test
    void aFileThatIsNotThere() throws Exception {
        Files.delete(key);
        isRefused(key.toString(), "does not exist");
        key = folder;
        isRefused(folder.toString(), "is a directory");
    }

    @Test
    void aFileThatHoldsSomethingElse() throws Exception {
        String text = Files.readString(key);
        replace(certificates, text);
        isRefused(certificates.toString(), "has no certificate");
        put("first");
        replace(key, Files.readString(certificates));
        isRefused(key.toString(), "has no key");
        replace(key, "");
        isRefused(key.toString(), "has no key");
        replace(key, text + text);
        isRefused(key.toString(), "2 keys");
        replace(key, text.replaceFirst("\n.", "\n="));
        isRefused(key.toString());
        replace(key, block("PRIVATE KEY", new byte[] {1, 2, 3}));
        isRefused(key.toString(), "damaged");
        replace(certificates, block("CERTIFICATE", new byte[] {1, 2, 3}));
        isRefused(certificates.toString(), "no. 1", "damaged");
    }

    @Test
    void aKeyInAnotherForm() throws Exception {
        replace(key, Files.readString(key).replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
        isRefused("encrypted", "openssl pkey");
        put("first");
        replace(key, Files.readString(key).replace("PRIVATE KEY", "EC PRIVATE KEY"));
        isRefused("not in PKCS#8 form", "openssl pkcs8 -topk8");
    }

    @Test
    void aKeyOfAnotherCertificate() throws Exception {
        replace(key, Files.readString(authorityFolder.resolve("second.key")));
        isRefused(key.toString(), "not that of the certificate");
        replace(
                key,
                block(
                        "PRIVATE KEY",
                        KeyPairGenerator.getInstance("RSA")
                                .generateKeyPair()
                                .getPrivate()
                                .getEncoded()));
        isRefused(key.toString(), "the EC key");
    }

    @Test
    void aCertificateThatIsNotValidNow() throws Exception {
        authority.certify("over", "IP:127.0.0.1", -3, 1);
        put("over");
        isRefused(certificates.toString(), "no. 1", "is valid from");
        authority.certify("early", "IP:127.0.0.1", 2, 2);
        put("early");
        isRefused(certificates.toString(), "is valid from");
    }

    @Test
    void aChainInTheWrongOrder() throws Exception {
        replace(
                certificates,
                Files.readString(authorityFolder.resolve("authority.pem")) + Files.readString(certificates));
        isRefused(certificates.toString(), "no. 2", "not the issuer of no. 1");
    }
}
