package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockMode;
import dev.holdfast.NodeOptions;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.OwnerId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unix sockets and sentinels. */
class OtherWaysInTest {

    @TempDir
    private Path directory;

    @Test
    void aUnixSocket() throws Exception {
        Path socket = directory.resolve("redis.sock");
        try (TestServer server = TestServer.start("--unixsocket", socket.toString());
                NodeUser user = NodeUser.open("redis-socket://" + socket + "?database=1")
                        .connected()) {
            OwnerId owner = user.newOwner();
            assertThat(user.acquire("lock:a", owner)).isInstanceOf(Granted.class);
            user.acquire("lock:a", user.newOwner(), LockMode.EX, true);
            user.awaitTold("contended", 1);
            assertThat(server.commands().exists("lock:a")).as("in database 0").isZero();
            assertThat(user.node.name()).isEqualTo("redis-socket://" + socket + "?database=1");
            server.restart();
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
                TestServer second = TestServer.start("--replicaof", "127.0.0.1 " + first.port);
                TestServer sentinel = sentinel(first.port)) {
            String uri = "redis-sentinel://127.0.0.1:" + sentinel.port + "?master=main";
            try (NodeUser user = NodeUser.open(uri, NodeOptions.defaults(), 0).connected()) {
                assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
                assertThat(user.status().warnings()).anyMatch(warning -> warning.contains("failover"));
                assertThat(first.commands().exists("lock:a")).isOne();
                org.awaitility.Awaitility.await()
                        .atMost(NodeUser.SOON.multipliedBy(3))
                        .until(() -> sentinel.hasReplica("main"));
                first.kill();
                org.awaitility.Awaitility.await()
                        .atMost(NodeUser.SOON.multipliedBy(6))
                        .untilAsserted(() -> user.awaitTold("available", 2));
                assertThat(user.acquire("lock:b", user.newOwner())).isInstanceOf(Granted.class);
                assertThat(second.commands().exists("lock:b")).isOne();
            }
        }
    }

    @Test
    void aSentinelIsNoServer() throws Exception {
        try (TestServer server = TestServer.start();
                TestServer sentinel = sentinel(server.port);
                NodeUser user = NodeUser.open("redis://127.0.0.1:" + sentinel.port)) {
            user.awaitTold("refused this is a sentinel", 1);
        }
        try (TestServer server = TestServer.start();
                TestServer sentinel = sentinel(server.port);
                NodeUser user = NodeUser.open("redis-sentinel://127.0.0.1:" + sentinel.port + "?master=other")) {
            user.awaitTold("unavailable", 1);
        }
    }

    private TestServer sentinel(int masterPort) throws Exception {
        Path config = Files.writeString(
                directory.resolve("sentinel-" + masterPort + ".conf"),
                "sentinel monitor main 127.0.0.1 " + masterPort + " 1\n"
                        + "sentinel down-after-milliseconds main 500\n"
                        + "sentinel failover-timeout main 5000\n");
        return TestServer.startSentinel(config);
    }
}
