package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.Fuzz;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One node of three is a server that answers nearly as a Redis does. The client acquires the lock from the other two in time and leaves nothing there. No
 * step of the protocol fails, and the report of the node is one line.
 */
@Tag("slow")
class HostileBytesFuzzTest {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST =
            Duration.ofSeconds(10); // many times what it takes, on a machine with other work

    private final Logger logger = Logger.getLogger("dev.holdfast");
    private final Failures failures = new Failures();

    @BeforeEach
    void listen() {
        logger.addHandler(failures);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(failures);
    }

    /** Messages of Holdfast about itself, not about the server. */
    private static final class Failures extends Handler {

        final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel() == Level.SEVERE && !record.getMessage().contains("is not used")) {
                lines.add(record.getMessage() + ": " + record.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void theOthersGiveTheLockAndKeepNothing() {
        Fuzz.check("HostileBytesFuzzTest", Effort.of(50, 150), input -> {
            try (FakeRedis server = new FakeRedis(input)) {
                use(server, "memory:bytes-a", "memory:bytes-b");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(failures.lines).isEmpty();
        });
    }

    private static void extendAtOnce(Holdfast holdfast) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            if (holdfast.lock("y" + i).tryAcquire() instanceof Acquisition.Held held) {
                leases.add(held.lease());
            }
        }
        List<CompletableFuture<ExtendOutcome>> extended = leases.stream()
                .map(lease -> lease.extendAsync(Duration.ofSeconds(30)).toCompletableFuture())
                .toList();
        extended.forEach(CompletableFuture::join);
        leases.forEach(Lease::release);
    }

    private static void use(FakeRedis server, String... honest) throws InterruptedException {
        long began = System.nanoTime();
        try (Holdfast holdfast = Holdfast.builder()
                .nodes(honest[0], honest[1], "redis://127.0.0.1:" + server.port())
                .nodeOptions(NodeOptions.defaults().timeout(NODE_TIMEOUT).connectTimeout(Duration.ofMillis(300)))
                .build()) {
            server.awaitHeard();
            Acquisition acquisition = holdfast.lock("x").tryAcquire();
            if (acquisition instanceof Acquisition.Refused refused) {
                assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.SEALED); // its word is enough
            } else {
                acquisition.lease().extend(Duration.ofSeconds(30));
                acquisition.lease().release();
            }
            extendAtOnce(holdfast);
            holdfast.admin()
                    .nodes()
                    .forEach(node ->
                            assertThat(node.detail()).hasSizeLessThan(500).doesNotContain("\n"));
            holdfast.admin().status("x");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST);
        try (Holdfast looker = Holdfast.builder().nodes(honest).build()) {
            assertThat(looker.admin().status("x").nodes())
                    .allSatisfy(node -> assertThat(node.state()).hasValueSatisfying(state -> {
                        assertThat(state.holders()).isEmpty();
                        assertThat(state.waiters()).isEmpty();
                    }));
        }
    }
}
