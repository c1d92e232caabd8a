package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.NodeOptions;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.OwnerId;
import dev.holdfast.testkit.redis.RedisOptions;
import dev.holdfast.testkit.redis.TlsFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    @TempDir
    private Path directory;

    private static TestServer server(TestCertificate own, Path clients) {
        Path trusted = clients == null ? own.authority() : clients;
        return TestServer.start(
                RedisOptions.defaults().tls(new TlsFiles(own.certificate(), own.key(), trusted, clients != null)));
    }

    private void assertWorks(String uri, NodeOptions options) {
        try (NodeUser user = NodeUser.open(uri, options, 0).connected()) {
            OwnerId owner = user.newOwner();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            user.release("lock:a", owner);
            assertThat(user.node.name()).isEqualTo(uri);
        }
    }

    private void assertFails(String uri, NodeOptions options, String why) {
        try (NodeUser user = NodeUser.open(uri, options, 0).awaitTold("unavailable", 1)) {
            assertThat(user.told.lines.get(0)).containsIgnoringCase(why);
            assertThat(user.told.count("available")).isZero();
        }
    }

    @Test
    void theServerMustBeTrustedAndBearItsName() throws Exception {
        TestCertificate own = TestCertificate.make(directory, "server", "dns:localhost", "-validity", "2");
        TestCertificate other = TestCertificate.make(directory, "other", "dns:localhost", "-validity", "2");
        try (TestServer server = server(own, null)) {
            int tlsPort = server.process.tlsUri().getPort();
            NodeOptions trusting = NodeOptions.defaults().trustedCertificates(own.authority());
            assertWorks("rediss://localhost:" + tlsPort, trusting);
            assertFails("rediss://127.0.0.1:" + tlsPort, trusting, "127.0.0.1");
            assertWorks("rediss://127.0.0.1:" + tlsPort, trusting.verifyHostname(false));
            assertFails("rediss://localhost:" + tlsPort, NodeOptions.defaults(), "TLS failed");
            assertFails(
                    "rediss://localhost:" + tlsPort,
                    NodeOptions.defaults()
                            .trustedCertificates(other.authority())
                            .verifyHostname(false),
                    "TLS failed");
            assertFails("redis://localhost:" + tlsPort, NodeOptions.defaults(), "");
            assertFails("rediss://localhost:" + server.port, trusting, "");
        }
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        TestCertificate own =
                TestCertificate.make(directory, "server", "dns:localhost", "-startdate", "-3d", "-validity", "1");
        try (TestServer server = server(own, null)) {
            int tlsPort = server.process.tlsUri().getPort();
            assertFails(
                    "rediss://localhost:" + tlsPort, NodeOptions.defaults().trustedCertificates(own.authority()), "");
        }
    }

    @Test
    void aServerMayAskForTheClientsCertificate() throws Exception {
        TestCertificate own = TestCertificate.make(directory, "server", "dns:localhost", "-validity", "2");
        TestCertificate client = TestCertificate.make(directory, "client", "dns:client", "-validity", "2");
        try (TestServer server = server(own, client.authority())) {
            int tlsPort = server.process.tlsUri().getPort();
            NodeOptions trusting = NodeOptions.defaults().trustedCertificates(own.authority());
            assertWorks(
                    "rediss://localhost:" + tlsPort, trusting.clientCertificate(client.certificate(), client.key()));
            assertFails("rediss://localhost:" + tlsPort, trusting, "");
        }
    }

    @Test
    void filesThatCantBeReadAreToldAtOnce() {
        Path missing = directory.resolve("missing.pem");
        assertThatThrownBy(() -> NodeUser.open(
                        "rediss://localhost:1", NodeOptions.defaults().trustedCertificates(missing), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(missing.toString());
    }
}
