package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.redis.process.FreePort;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unix sockets and sentinels. */
@Tag("slow")
class OtherWaysInTest {

    private static final Duration SOON_AFTER_A_FAILOVER = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void aUnixSocket() throws Exception {
        Path socket = directory.resolve("redis.sock");
        try (TestServer server = TestServer.start("unixsocket " + socket);
                NodeUser user = NodeUser.open("redis-socket://" + socket + "?database=1")
                        .connected()) {
            OwnerId owner = user.newOwner();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            user.acquire("lock:a", user.newOwner(), LockMode.EX, true);
            user.awaitTold("contended", 1);
            assertThat(server.commands().exists("lock:a")).as("in database 0").isZero();
            assertThat(user.node.name()).isEqualTo("redis-socket://" + socket + "?database=1");
            server.process.restart();
            user.awaitTold("available", 2);
        }
    }

    @Test
    void aUnixSocketThatIsNotThere() {
        try (NodeUser user = NodeUser.open("redis-socket://" + directory.resolve("none.sock"))) {
            user.awaitTold("unavailable", 1);
        }
    }

    @Test
    void sentinelsNameTheMasterAnewAfterAFailover() throws Exception {
        try (TestServer first = TestServer.start();
                TestServer second = TestServer.start("replicaof 127.0.0.1 " + first.port);
                Sentinel sentinel = new Sentinel(first.port)) {
            String uri = "redis-sentinel://127.0.0.1:" + sentinel.port + "?master=main";
            try (NodeUser user = NodeUser.open(uri, NodeOptions.defaults(), 0).connected()) {
                assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
                assertThat(user.status().server().warnings()).anyMatch(warning -> warning.contains("failover"));
                assertThat(first.commands().exists("lock:a")).isOne();
                await().atMost(SOON_AFTER_A_FAILOVER).until(sentinel::hasReplica);
                first.process.kill();
                await().atMost(SOON_AFTER_A_FAILOVER).until(() -> user.told.count("available") >= 2);
                assertThat(user.acquire("lock:b", user.newOwner())).isInstanceOf(Granted.class);
                assertThat(second.commands().exists("lock:b")).isOne();
            }
        }
    }

    @Test
    void aSentinelIsNoServer() throws Exception {
        try (TestServer server = TestServer.start();
                Sentinel sentinel = new Sentinel(server.port);
                NodeUser user = NodeUser.open("redis://127.0.0.1:" + sentinel.port)) {
            user.awaitTold("refused this is a sentinel", 1);
        }
        try (TestServer server = TestServer.start();
                Sentinel sentinel = new Sentinel(server.port);
                NodeUser user = NodeUser.open("redis-sentinel://127.0.0.1:" + sentinel.port + "?master=other")) {
            user.awaitTold("unavailable", 1);
        }
    }

    private final class Sentinel implements AutoCloseable {

        final int port = FreePort.pick();
        private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        private final AutoCloseable process;

        Sentinel(int masterPort) throws Exception {
            Path config = Files.writeString(
                    directory.resolve("sentinel-" + port + ".conf"),
                    "sentinel monitor main 127.0.0.1 " + masterPort + " 1\n"
                            + "sentinel down-after-milliseconds main 2000\n"
                            + "sentinel failover-timeout main 5000\n");
            process = TestServer.startSentinel(config, port);
        }

        boolean hasReplica() {
            try (var connection = client.connectSentinel()) {
                return !connection.sync().replicas("main").isEmpty();
            }
        }

        @Override
        public void close() throws Exception {
            client.shutdown();
            process.close();
        }
    }
}
