package dev.holdfast.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The pair behind one address. {@link SentinelSet} and {@link RedisCluster} are tested where clients use them, in module redis. */
class ReplicatedRedisTest {

    @Test
    void whatTheReplicaHasNotSeenIsLostAtTheSameAddress() throws Exception {
        try (ReplicatedRedis redis = ReplicatedRedis.start()) {
            RedisProcess first = redis.primary();
            RedisProcess second = redis.replica();
            try (RedisConsole console = console(redis)) {
                console.send("SET", "kept", "v");
                redis.fallBehind();
                console.send("SET", "lost", "v");

                redis.failOver();

                assertThatThrownBy(() -> console.send("GET", "kept")).isInstanceOf(IOException.class);
            }
            assertThat(redis.primary()).isSameAs(second);
            assertThat(first.isRunning()).isFalse();
            try (RedisConsole console = console(redis)) {
                assertThat(console.send("GET", "kept")).isEqualTo("v");
                assertThat(console.send("GET", "lost")).isNull();
                redis.replace();
                console.send("SET", "new", "v");
            }
            redis.fallBehind();
            redis.failOver();
            assertThat(redis.primary()).isSameAs(first);
            assertThat(first.keys("*")).contains("kept", "new");
        }
    }

    private static RedisConsole console(ReplicatedRedis redis) throws IOException {
        return RedisConsole.connect(redis.uri().getHost(), redis.uri().getPort());
    }
}
