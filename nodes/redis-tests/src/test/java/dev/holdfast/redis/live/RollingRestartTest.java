package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.testkit.Effort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Seals and values outlive a rolling restart: always where nodes have an append-only file, and where they have nothing as long as a client uses
 * them between two restarts. {@code -Dholdfast.rollingRestarts=10} restarts each node more often than a short build does.
 */
@Tag("slow")
class RollingRestartTest {

    private static final int ROUNDS = Integer.getInteger("holdfast.rollingRestarts", Effort.of(1, 3));
    private static final int EACH = 50;
    private static final Duration TTL = Duration.ofMillis(300);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration SOON = Duration.ofSeconds(30);

    private static List<String> names(String kind) {
        return IntStream.range(0, EACH).mapToObj(i -> kind + ":" + i).toList();
    }

    private static Holdfast client(RedisProcesses servers) {
        return Holdfast.builder()
                .nodes(servers.uris().stream().map(Object::toString).toArray(String[]::new))
                .lockOptions(options -> options.ttl(TTL).waiterTtl(TTL))
                .fenceRetention(Duration.ofHours(1))
                .connect();
    }

    private static void seal(Holdfast client, String name) {
        await().atMost(SOON).pollInSameThread().until(() -> {
            Acquisition acquisition = client.lock(name).tryAcquire(Duration.ofSeconds(5));
            return acquisition instanceof Acquisition.Refused refused
                    ? refused.refusal().reason() == Refusal.Reason.SEALED
                    : acquisition.lease().seal(WEEK) == SealOutcome.SEALED;
        });
    }

    private static void write(Holdfast client, String name) {
        await().atMost(SOON).pollInSameThread().until(() -> {
            try (Lease lease = client.lock(name).acquire(Duration.ofSeconds(5))) {
                return lease.writeValue("of " + name) == WriteOutcome.WRITTEN;
            }
        });
    }

    /** Asks for all of them at once; each must be found sealed, once enough nodes vote. */
    private static void findSealed(Holdfast client) {
        await().atMost(SOON).pollInSameThread().untilAsserted(() -> {
            List<CompletableFuture<Acquisition>> asked = names("seal").stream()
                    .map(name -> client.lock(name).tryAcquireAsync(Duration.ZERO))
                    .toList();
            List<Acquisition> found =
                    asked.stream().map(CompletableFuture::join).toList();
            found.stream()
                    .filter(Acquisition::isHeld)
                    .forEach(one -> one.lease().release());
            assertThat(found)
                    .allSatisfy(one -> assertThat(
                                    one.isHeld()
                                            ? null
                                            : ((Acquisition.Refused) one)
                                                    .refusal()
                                                    .reason())
                            .isEqualTo(Refusal.Reason.SEALED));
        });
    }

    /** Takes all locks at once, reads their values, and gives the locks back. */
    private static void findWritten(Holdfast client) {
        await().atMost(SOON).pollInSameThread().untilAsserted(() -> {
            List<CompletableFuture<Acquisition>> asked = names("value").stream()
                    .map(name -> client.lock(name).tryAcquireAsync(Duration.ofSeconds(5)))
                    .toList();
            List<Acquisition> found =
                    asked.stream().map(CompletableFuture::join).toList();
            List<String> values = found.stream()
                    .filter(Acquisition::isHeld)
                    .map(one -> one.lease().value().orElse("nothing"))
                    .toList();
            found.stream()
                    .filter(Acquisition::isHeld)
                    .forEach(one -> one.lease().release());
            assertThat(values)
                    .containsExactlyElementsOf(
                            names("value").stream().map(name -> "of " + name).toList());
        });
    }

    /** Uses them, more than once if a node was too late to count, until every node keeps all. */
    private static void useUntilKeptByAll(Holdfast client, RedisProcesses servers) {
        await().atMost(SOON).pollInSameThread().untilAsserted(() -> {
            findSealed(client);
            assertThat(servers)
                    .allSatisfy(
                            server -> assertThat(server.keys("*:holdfast:seal")).hasSize(EACH));
        });
        await().atMost(SOON).pollInSameThread().untilAsserted(() -> {
            findWritten(client);
            assertThat(servers)
                    .allSatisfy(server ->
                            assertThat(server.keys("*:holdfast:value")).hasSize(EACH));
        });
    }

    private static void awaitVotes(Holdfast client) {
        await().atMost(SOON)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(client.admin().nodes())
                        .extracting(NodeStatus::state)
                        .containsOnly(NodeStatus.State.UP));
    }

    private static void play(
            RedisOptions options, Consumer<RedisProcess> restart, BiConsumer<Holdfast, RedisProcesses> use) {
        try (RedisProcesses servers = RedisProcesses.start(3, options);
                Holdfast client = client(servers)) {
            names("seal").forEach(name -> seal(client, name));
            names("value").forEach(name -> write(client, name));
            for (int round = 0; round < ROUNDS; round++) {
                for (RedisProcess server : servers) {
                    restart.accept(server);
                    awaitVotes(client);
                    use.accept(client, servers);
                }
            }
            findSealed(client);
            findWritten(client);
        }
    }

    @Test
    void b7_sealsAndValuesOutliveARollingRestartOfNodesWithAnAppendOnlyFile() {
        play(RedisOptions.defaults().appendOnly(true), RedisProcess::restart, (client, servers) -> {});
    }

    @Test
    void b7_sealsAndValuesThatAreUsedBetweenTwoRestartsOutliveThemWithoutPersistence() {
        play(RedisOptions.defaults(), RedisProcess::restartEmpty, RollingRestartTest::useUntilKeptByAll);
    }
}
