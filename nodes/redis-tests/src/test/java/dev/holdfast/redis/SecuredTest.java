package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentinels and clusters that require TLS and passwords. */
@Tag("slow")
class SecuredTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PASSWORD = "of-servers";
    private static final String SENTINEL_PASSWORD = "of-sentinels";

    @TempDir
    static Path directory;

    private static TlsFiles files;

    @BeforeAll
    static void certify() {
        files = TestAuthority.in(directory.resolve("authority")).certify("server", "IP:127.0.0.1", -1, 2);
    }

    private static NodeOptions trusting() {
        return NodeOptions.defaults()
                .connectTimeout(Duration.ofSeconds(30))
                .trustedCertificates(files.authority())
                .credentials(null, () -> PASSWORD);
    }

    private static TestServer server(String... config) {
        return TestServer.start(RedisOptions.defaults()
                .tls(files)
                .password(PASSWORD)
                .config("masterauth " + PASSWORD, "tls-replication yes")
                .config(config));
    }

    private static int tlsPort(TestServer server) {
        return server.process.tlsUri().getPort();
    }

    private static List<String> tlsLines() {
        return List.of(
                "tls-cert-file \"" + files.certificate() + "\"",
                "tls-key-file \"" + files.key() + "\"",
                "tls-ca-cert-file \"" + files.authority() + "\"",
                "tls-auth-clients no",
                "tls-replication yes");
    }

    /** Starts a sentinel that speaks only TLS and requires a password. */
    private static AutoCloseable sentinel(int tlsPort, int masterPort) throws Exception {
        List<String> watched = List.of(
                "tls-port " + tlsPort,
                "requirepass " + SENTINEL_PASSWORD,
                "sentinel monitor main 127.0.0.1 " + masterPort + " 1",
                "sentinel auth-pass main " + PASSWORD,
                "sentinel down-after-milliseconds main 1000",
                "sentinel failover-timeout main 5000");
        Path config = directory.resolve("sentinel-" + tlsPort + ".conf");
        Files.write(config, tlsLines());
        Files.write(config, watched, StandardOpenOption.APPEND);
        return TestServer.startSentinel(config, 0);
    }

    @Test
    void e25_sentinelsWithPasswordsAndTls() throws Exception {
        int port = FreePort.pick();
        String uri = "rediss-sentinel://127.0.0.1:" + port + "?master=main";
        NodeOptions options = trusting().sentinelCredentials(null, () -> SENTINEL_PASSWORD);
        try (TestServer first = server();
                TestServer second = server("replicaof 127.0.0.1 " + tlsPort(first));
                AutoCloseable sentinel = sentinel(port, tlsPort(first));
                NodeUser user = connected(uri, options)) {
            assertThat(user.node.name()).isEqualTo(uri);
            assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(first.process.send("EXISTS", "lock:a")).isEqualTo(1L);

            assertFails("the sentinel wants a password", uri, trusting());
            assertFails(
                    "the sentinel refuses the user or the password",
                    uri,
                    trusting().sentinelCredentials(null, () -> "wrong"));
            assertFails("the server refuses the user or the password", uri, options.credentials(null, () -> "wrong"));
            assertFails("TLS failed", uri, NodeOptions.defaults().sentinelCredentials(null, () -> SENTINEL_PASSWORD));
            assertFails("", uri.replace("rediss", "redis"), options.connectTimeout(Duration.ofSeconds(1)));

            await().atMost(SOON).until(() -> replicaIsReady(second));
            first.process.kill();
            await().atMost(SOON).until(() -> user.told.count("available") >= 2);
            assertThat(user.acquire("lock:b", user.newOwner())).isInstanceOf(Granted.class);
            assertThat(second.process.send("EXISTS", "lock:b")).isEqualTo(1L);
        }
    }

    private static boolean replicaIsReady(TestServer replica) {
        return String.valueOf(replica.process.send("INFO", "replication")).contains("master_link_status:up")
                && String.valueOf(replica.process.send("PUBSUB", "NUMSUB", "__sentinel__:hello"))
                        .contains("1");
    }

    @Test
    void e25_aClusterWithAPasswordAndTls() throws Exception {
        int bus = FreePort.pick();
        try (TestServer member = server("cluster-enabled yes", "cluster-port " + bus, "tls-cluster yes")) {
            member.process.send("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            await().atMost(SOON)
                    .until(() -> String.valueOf(member.process.send("CLUSTER", "INFO"))
                            .contains("cluster_state:ok"));
            String uri = "rediss-cluster://127.0.0.1:" + tlsPort(member);
            try (NodeUser user = connected(uri, trusting())) {
                assertThat(user.node.name()).isEqualTo(uri);
                IntStream.range(0, 5)
                        .forEach(i -> assertThat(user.acquire("lock:" + i, user.newOwner()))
                                .isInstanceOf(Granted.class));
                assertThat(String.valueOf(member.process.send("CLIENT", "LIST")))
                        .as("connections to the port for TLS")
                        .contains("laddr=127.0.0.1:" + tlsPort(member));
            }
            assertFails(
                    "the server refuses the user or the password",
                    uri,
                    trusting().credentials(null, () -> "wrong"));
            assertFails("TLS failed", uri, NodeOptions.defaults().credentials(null, () -> PASSWORD));
            assertFails("", uri.replace("rediss", "redis"), trusting().connectTimeout(Duration.ofSeconds(1)));
        }
    }

    private static NodeUser connected(String uri, NodeOptions options) {
        NodeUser user = NodeUser.open(uri, options, 0);
        await().atMost(SOON).until(() -> user.told.count("available") > 0);
        return user;
    }

    private static void assertFails(String why, String uri, NodeOptions options) {
        try (NodeUser user = NodeUser.open(uri, options, 0)) {
            await().atMost(SOON).until(() -> !user.told.lines.isEmpty());
            assertThat(user.told.lines.get(0)).contains(why).doesNotContain(PASSWORD, SENTINEL_PASSWORD);
            assertThat(user.told.count("available")).isZero();
        }
    }
}
