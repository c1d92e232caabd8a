package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.redis.process.RedisProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The first locked call of an application comes after its nodes are connected. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class NodesAtStartTest {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long SLOWNESS_MILLIS = 500;

    private static ApplicationContextRunner on(RedisProcess server, String... properties) {
        return Contexts.bare()
                .withPropertyValues("holdfast.nodes=" + server.uri(), "holdfast.node.connect-timeout=30s")
                .withPropertyValues(properties);
    }

    /** A bean that lets a paused server answer some time after the beans have been created. */
    private static final class SlowServer {

        SlowServer(RedisProcess server) {
            CompletableFuture.delayedExecutor(SLOWNESS_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(server::resume);
        }
    }

    @Test
    void e25_theFirstCallFindsConnectedNodes() {
        try (RedisProcess server = RedisProcess.start()) {
            server.pause();
            on(server, "holdfast.await-nodes-at-start=30s")
                    .withBean(SlowServer.class, () -> new SlowServer(server))
                    .run(context -> {
                        Holdfast holdfast = context.getBean(Holdfast.class);
                        assertThat(holdfast.admin().nodes())
                                .noneMatch(node -> node.detail().equals("not connected yet"));
                        try (Lease lease = holdfast.lock("first").acquire(Duration.ofSeconds(10))) {
                            assertThat(lease.isHeld()).isTrue();
                        }
                    });
        }
    }

    @Test
    void e25_withoutTheWaitAShortFirstCallComesTooEarly() {
        try (RedisProcess server = RedisProcess.start()) {
            server.pause();
            on(server, "holdfast.await-nodes-at-start=0")
                    .run(context -> assertThatThrownBy(() -> context.getBean(Holdfast.class)
                                    .lock("first")
                                    .acquire(SHORT))
                            .isInstanceOf(NoQuorumException.class)
                            .hasMessageContaining("not connected yet"));
            server.resume();
        }
    }

    @Test
    void theStartWaitsForSilentNodesOnlyUntilItsTimeIsOver(CapturedOutput output) {
        try (RedisProcess server = RedisProcess.start()) {
            server.pause();
            on(server, "holdfast.await-nodes-at-start=50ms")
                    .run(context -> assertThat(context).hasNotFailed());
            server.resume();
        }
        assertThat(output).contains("starts without its locks: it has reached 0 of 1 nodes");
    }

    @Test
    void refusedConnectionsAreNotWaitedFor(CapturedOutput output) {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=redis://localhost:1", "holdfast.await-nodes-at-start=1h")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("it has reached 0 of 1 nodes").contains("redis://localhost:1 is DOWN");
    }
}
