package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sets of nodes that must not be used are refused at the start, with the reason and without secrets. */
class BadNodesTest {

    private static final String SECRET = "s3cret-word";

    /** On a busy machine a first connection, or an answer, may take longer than the default allows; then the cause is not known yet. */
    private static final NodeOptions PATIENT =
            NodeOptions.defaults().connectTimeout(Duration.ofSeconds(30)).timeout(Duration.ofSeconds(5));

    private static Holdfast connect(String... nodes) {
        return Holdfast.builder().nodes(nodes).nodeOptions(PATIENT).connect();
    }

    @Test
    void oneServerUnderTwoNamesIsRefused() {
        try (RedisProcess server = RedisProcess.start()) {
            assertThatThrownBy(
                            () -> connect("redis://127.0.0.1:" + server.port(), "redis://localhost:" + server.port()))
                    .isInstanceOf(NodeRefusedException.class)
                    .hasMessageContaining(
                            "redis://localhost:" + server.port() + ": the same server as redis://127.0.0.1:");
        }
    }

    /** Without waiting for the nodes: the second name gets no vote of its own. */
    @Test
    void oneServerUnderTwoNamesHasOneVote() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                Holdfast holdfast = Holdfast.builder()
                        .nodes("redis://127.0.0.1:" + server.port(), "redis://localhost:" + server.port())
                        .build()) {
            Acquisition acquisition = holdfast.lock("x").tryAcquire();
            assertThat(acquisition.isHeld()).isFalse();
            assertThat(((Acquisition.Refused) acquisition).refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM);
        }
    }

    @Test
    void aReplicaIsRefused() {
        try (RedisProcess master = RedisProcess.start();
                RedisProcess replica = RedisProcess.start(
                        RedisOptions.defaults().declareClean(false).config("replicaof 127.0.0.1 " + master.port()))) {
            assertThatThrownBy(() -> connect(replica.uri().toString()))
                    .isInstanceOf(NodeRefusedException.class)
                    .hasMessageContaining("replica");
        }
    }

    @Test
    void aWrongPasswordIsRefusedWithoutBeingPrinted() {
        try (RedisProcess server = RedisProcess.start(RedisOptions.defaults().password("right"))) {
            String plain = "redis://127.0.0.1:" + server.port();
            for (String uri : List.of("redis://:" + SECRET + "@127.0.0.1:" + server.port(), plain)) {
                assertThatThrownBy(() -> Holdfast.builder()
                                .nodes(uri)
                                .nodeOptions(PATIENT.credentials(null, () -> SECRET))
                                .connect())
                        .isInstanceOf(NodeRefusedException.class)
                        .hasMessageContaining(plain)
                        .hasMessageNotContaining(SECRET);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://s3cret-word@localhost | password",
                "redis://localhost?socketTimeout=5 | socketTimeout",
                "redis://:s3cret-word@localhost?colour=red | colour",
                "redis://localhost:70000 | 70000",
                "redis://localhost/minus-one | database",
                "redis:// | host",
                "http://localhost | redis",
                "localhost:6379 | redis",
            })
    void aUriThatIsWrongIsRefusedInOneLineWithoutSecrets(String uri, String says) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.connect(uri))
                .withMessageContaining(says)
                .satisfies(thrown ->
                        assertThat(thrown.getMessage()).doesNotContain(SECRET).doesNotContain("\n"));
    }

    @Test
    void noNodesAndTheSameNodeTwiceAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(Holdfast::connect).withMessageContaining("no nodes");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Holdfast.connect("redis://:s3cret-word@a:1", "redis://b:1", "redis://:s3cret-word@a:1"))
                .withMessageContaining("twice")
                .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain(SECRET));
    }

    @Test
    void anEvictionPolicyThatDropsLocksIsWarnedOf() throws Exception {
        try (RedisProcess server = RedisProcess.start(
                        RedisOptions.defaults().config("maxmemory 100mb", "maxmemory-policy allkeys-lru"));
                Holdfast holdfast = connect(server.uri().toString())) {
            assertThat(holdfast.admin().nodes().get(0).server().warnings())
                    .anyMatch(warning -> warning.contains("allkeys-lru"));
        }
    }
}
