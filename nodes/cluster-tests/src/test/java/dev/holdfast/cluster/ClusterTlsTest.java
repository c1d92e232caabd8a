package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traffic between servers. */
@Tag("slow")
class ClusterTlsTest {

    private static final String PASSWORD = "trial-password";

    @TempDir
    Path folder;

    private Path keyStore() throws IOException {
        return keyStore("peer");
    }

    private Path keyStore(String name) throws IOException {
        Path store = folder.resolve(name + ".p12");
        TestAuthority.makeKey(store, PASSWORD, "peer", "EC", List.of());
        return store;
    }

    @Test
    void serversAcceptOnlyPeersWithACertificate() throws Exception {
        ClusterConfig.PeerTls tls = new ClusterConfig.PeerTls(keyStore(), PASSWORD);
        Timing timing = Timing.system("cluster-tls");
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), tls)) {
            cluster.leader();
            cluster.electLater(Duration.ofSeconds(50));
            cluster.leader(); // which two servers elected over TLS

            URI address = URI.create("raft://"
                    + cluster.config("a", ClusterConfig.Start.RESUME).peers().get("a"));
            assertThatThrownBy(() -> firstByte(trusting(tls), address)).isInstanceOf(IOException.class);
        } finally {
            timing.scheduler().close();
        }
    }

    /** Otherwise the operator would look for a server that does not run. */
    @Test
    void aServerOfAnotherAuthorityIsReportedAsSuch() throws Exception {
        Timing timing = Timing.system("cluster-tls");
        Map<String, String> peers = TrialCluster.freeAddresses("a", "b");
        try (ClusterServer one = ClusterServer.start(config(peers, "a", keyStore("one")), timing);
                ClusterServer other = ClusterServer.start(config(peers, "b", keyStore("other")), timing)) {
            assertThat(other.name()).isEqualTo("b");
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(
                                    one.status().toCompletableFuture().join().members())
                            .extracting(ClusterStatus.Member::detail)
                            .allMatch(detail -> detail.contains("no TLS connection, check the keys of both")));
        } finally {
            timing.scheduler().close();
        }
    }

    private ClusterConfig config(Map<String, String> peers, String name, Path keys) {
        ClusterConfig.Options usual = ClusterConfig.Options.defaults();
        return new ClusterConfig(
                "trial",
                name,
                peers,
                folder.resolve(name),
                ClusterConfig.Start.CREATE,
                new ClusterConfig.Options(
                        1,
                        usual.electionTimeout(),
                        usual.snapshotInterval(),
                        new ClusterConfig.PeerTls(keys, PASSWORD)));
    }

    /** Returns a context that trusts the servers, but has no certificate. */
    private static SSLContext trusting(ClusterConfig.PeerTls tls) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(KeyStore.getInstance(tls.keyStore().toFile(), PASSWORD.toCharArray()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static int firstByte(SSLContext context, URI address) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            return socket.getInputStream().read(); // with TLS 1.3, the server's refusal arrives after the handshake
        }
    }

    @Test
    void trafficWithoutTlsStaysOnThisMachine() {
        assertThatThrownBy(() -> new ClusterConfig(
                        "trial",
                        "a",
                        Map.of("a", "127.0.0.1:7421", "b", "10.0.0.1:7421"),
                        folder,
                        ClusterConfig.Start.CREATE,
                        ClusterConfig.Options.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need TLS");
        assertThat(new ClusterConfig.PeerTls(folder, PASSWORD).toString()).doesNotContain(PASSWORD);
    }
}
