package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.node.NodeOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/** The statements of docs/guides/migrating.md about Redisson's and Holdfast's locks on one server at the same time. Nothing is measured. */
class BesideRedissonTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static Servers servers;
    private static RedissonClient redisson;

    @BeforeAll
    static void start() {
        servers = Servers.start(1);
        Config config = new Config();
        config.useSingleServer().setAddress(servers.first(1).get(0));
        redisson = Redisson.create(config);
    }

    @AfterAll
    static void stop() {
        redisson.shutdown();
        servers.close();
    }

    private static Holdfast holdfast(String keyPrefix) {
        return Holdfast.builder()
                .nodes(servers.first(1))
                .keyPrefix(keyPrefix)
                .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(5)))
                .connect();
    }

    @Test
    void withDifferentKeysBothHoldALockOfTheSameName() throws Exception {
        RLock theirs = redisson.getLock("apart");
        theirs.lock();
        try (Holdfast holdfast = holdfast("lock:");
                Lease ours = holdfast.lock("apart").acquire(SOON)) {
            assertThat(ours.isHeld()).isTrue();
            assertThat(theirs.isHeldByCurrentThread()).isTrue();
        } finally {
            theirs.unlock();
        }
    }

    @Test
    void withTheSameKeyOursWaitsForTheirs() throws Exception {
        RLock theirs = redisson.getLock("same");
        theirs.lock();
        try (Holdfast holdfast = holdfast("")) {
            Acquisition refused = holdfast.lock("same").tryAcquire();
            assertThat(((Acquisition.Refused) refused).refusal().message())
                    .contains("something that is not a lock (a hash)");
            CompletableFuture<Lease> waiting = holdfast.lock("same").acquireAsync(SOON);
            assertThat(waiting).isNotDone();

            theirs.unlock();

            try (Lease ours = waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(ours.isHeld()).isTrue();
            }
        }
    }

    @Test
    void withTheSameKeyTheirsFailsWhileOursIsHeld() throws Exception {
        RLock theirs = redisson.getLock("loud");
        try (Holdfast holdfast = holdfast("")) {
            try (Lease ours = holdfast.lock("loud").acquire(SOON)) {
                assertThatThrownBy(theirs::tryLock)
                        .isInstanceOf(RedisException.class)
                        .hasMessageContaining("WRONGTYPE");
                ours.ensureHeld();
            }
            assertThat(theirs.tryLock()).isTrue();
            theirs.unlock();
        }
    }
}
