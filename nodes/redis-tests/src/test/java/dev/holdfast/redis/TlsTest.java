package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class TlsTest {

    private static final String LOCALHOST = "DNS:localhost";

    @TempDir
    static Path directory;

    private static TestAuthority authority;

    @BeforeAll
    static void found() {
        authority = TestAuthority.in(directory.resolve("trusted"));
    }

    private static TestServer server(TlsFiles files) {
        return TestServer.start(RedisOptions.defaults().tls(files));
    }

    private static String uri(String host, TestServer server) {
        return "rediss://" + host + ":" + server.process.tlsUri().getPort();
    }

    private void assertWorks(String uri, NodeOptions options) {
        try (NodeUser user = NodeUser.open(uri, options, 0).connected()) {
            OwnerId owner = user.newOwner();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            user.release("lock:a", owner);
            assertThat(user.node.name()).isEqualTo(uri);
        }
    }

    /** For any reason: a server that waits for something else gives none, and the request times out. */
    private void assertFails(String uri, NodeOptions options) {
        assertFails(uri, options, "");
    }

    /** For a reason that must not be a timeout. */
    private void assertFailsSince(String why, String uri, NodeOptions options) {
        assertFails(uri, options.connectTimeout(Duration.ofSeconds(30)), why);
    }

    private void assertFails(String uri, NodeOptions options, String why) {
        try (NodeUser user = NodeUser.open(uri, options, 0).awaitTold("unavailable", 1)) {
            assertThat(user.told.lines.get(0)).containsIgnoringCase(why);
            assertThat(user.told.count("available")).isZero();
        }
    }

    @Test
    void theServerMustBeTrustedAndBearItsName() {
        TlsFiles files = authority.certify("server", LOCALHOST, -1, 2);
        NodeOptions trusting = NodeOptions.defaults().trustedCertificates(files.authority());
        Path elsewhere =
                TestAuthority.in(directory.resolve("other")).certify("x").authority();
        try (TestServer server = server(files)) {
            assertWorks(uri("localhost", server), trusting);
            assertFailsSince("for another host", uri("127.0.0.1", server), trusting);
            assertWorks(uri("127.0.0.1", server), trusting.verifyHostname(false));
            assertFailsSince("TLS failed", uri("localhost", server), NodeOptions.defaults());
            assertFailsSince(
                    "TLS failed",
                    uri("localhost", server),
                    trusting.trustedCertificates(elsewhere).verifyHostname(false));
            assertFails(uri("localhost", server).replace("rediss", "redis"), trusting);
            assertFails("rediss://localhost:" + server.port, trusting);
        }
    }

    @Test
    void anExpiredCertificateIsRefused() {
        TlsFiles files = authority.certify("old", LOCALHOST, -3, 1);
        try (TestServer server = server(files)) {
            assertFailsSince(
                    "TLS failed",
                    uri("localhost", server),
                    NodeOptions.defaults().trustedCertificates(files.authority()));
        }
    }

    @Test
    void aServerMayAskForTheClientsCertificate() {
        TlsFiles files = authority.certify("mutual", LOCALHOST, -1, 2).mutual();
        TlsFiles client = authority.certify("client", "DNS:client", -1, 2);
        NodeOptions trusting = NodeOptions.defaults().trustedCertificates(files.authority());
        try (TestServer server = server(files)) {
            assertWorks(uri("localhost", server), trusting.clientCertificate(client.certificate(), client.key()));
            assertFails(uri("localhost", server), trusting);
        }
    }

    @Test
    void filesThatCantBeReadAreToldAtOnce() throws IOException {
        Path missing = directory.resolve("missing.pem");
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        TlsFiles client = authority.certify("whole", "DNS:client", -1, 2);
        assertUnreadable(missing, NodeOptions.defaults().trustedCertificates(missing));
        assertUnreadable(empty, NodeOptions.defaults().trustedCertificates(empty));
        assertUnreadable(empty, NodeOptions.defaults().clientCertificate(empty, client.key()));
        assertUnreadable(empty, NodeOptions.defaults().clientCertificate(client.certificate(), empty));
    }

    private static void assertUnreadable(Path file, NodeOptions options) {
        assertThatThrownBy(() -> NodeUser.open("rediss://localhost:1", options, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is " + file + ", but must be a PEM file");
    }

    /** A rotation of certificates may remove a file for a moment. */
    @Test
    void aFileThatIsMissingLaterIsNamedUntilItIsBack() throws IOException {
        TlsFiles files = authority.certify("rotated", LOCALHOST, -1, 2);
        Path trusted = Files.copy(files.authority(), directory.resolve("rotated-ca.pem"));
        try (TestServer server = server(files);
                NodeUser user = NodeUser.open(
                                uri("localhost", server), NodeOptions.defaults().trustedCertificates(trusted), 0)
                        .connected()) {
            Files.delete(trusted);
            server.process.send("CLIENT", "KILL", "TYPE", "pubsub");
            user.awaitTold("unavailable trustedCertificates is " + trusted, 1);

            Files.copy(files.authority(), trusted);

            user.awaitTold("available", 2);
        }
    }
}
