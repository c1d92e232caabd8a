package dev.holdfast.junit;

import static dev.holdfast.junit.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisLockNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    final LockNodes nodes = LockNodes.redis(3);

    @Test
    void realServersBehaveAlike() throws Exception {
        Holdfast holdfast =
                nodes.connect(builder -> builder.clientName("billing").restartQuarantine(Duration.ZERO));
        Lease lease = holdfast.lock("a").acquire(PATIENCE);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThatLock(holdfast, "a").isHeldBy("billing").isHeldWithToken(lease.fencingToken()));
        nodes.kill(1);
        lease.release();
        await().atMost(PATIENCE).until(() -> holdfast.lock("b").tryAcquire() instanceof Acquisition.Held);

        nodes.pause(2);
        assertThat(holdfast.lock("c").tryAcquire()).isInstanceOf(Acquisition.Refused.class);
        nodes.resume(2);
        nodes.restart(1);
        await().atMost(PATIENCE).until(() -> holdfast.lock("c").tryAcquire() instanceof Acquisition.Held);
        try (Holdfast own =
                Holdfast.connect(nodes.uris().stream().map(URI::toString).toArray(String[]::new))) {
            assertThatLock(own, "c").isHeld();
        }
        assertThatThrownBy(nodes::clock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the machine's clock");
    }
}
