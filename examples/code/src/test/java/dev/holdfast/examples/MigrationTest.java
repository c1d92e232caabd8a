package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/guides/migrating.md do what they say, on three real nodes. */
class MigrationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String LOCK = "orders:42";

    private static RedisProcesses redis;
    private static List<String> nodes;

    private final List<Long> tokens = new ArrayList<>();
    private Holdfast holdfast;

    @BeforeAll
    static void start() {
        redis = RedisProcesses.start(3);
        nodes = redis.uris().stream().map(URI::toString).toList();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void connect() {
        holdfast = patient();
    }

    /** Examples send a request only once, so a busy machine must not leave it unanswered. */
    private static Holdfast patient() {
        return Holdfast.builder()
                .nodes(nodes)
                .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(2)))
                .connect();
    }

    @AfterEach
    void close() {
        holdfast.close();
    }

    @Test
    void whatTheCallsBecomeWorksUnderTheLock() throws Exception {
        Migration.lockAndUnlock(holdfast, this::whileNobodyElseCan);
        assertThat(Migration.tryLockWithLeaseTime(holdfast, this::whileNobodyElseCan))
                .isTrue();
        Migration.asLock(holdfast, this::whileNobodyElseCan);
        assertThat(Migration.inPlaceOfSetNx(holdfast, this::whileNobodyElseCan)).isTrue();
        Migration.runWithSignal(holdfast, List.of(() -> whileNobodyElseCan(currentToken())));

        assertThat(tokens).hasSize(5).isSorted().doesNotHaveDuplicates();
    }

    private static long currentToken() {
        return Holdfast.currentLease().orElseThrow().fencingToken();
    }

    private void whileNobodyElseCan(long token) {
        tokens.add(token);
        try (Holdfast other = patient()) {
            assertThat(other.lock(LOCK).tryAcquire().isHeld()).isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatTheCallsBecomeDoesNothingWhenItIsTaken() throws Exception {
        try (Holdfast other = patient();
                Lease lease = other.lock(LOCK).acquire(SOON)) {
            assertThat(Migration.inPlaceOfSetNx(holdfast, tokens::add)).isFalse();
            assertThat(Migration.tryLockWithLeaseTime(holdfast, tokens::add)).isFalse();
            assertThatThrownBy(() -> holdfast.lock(LOCK).acquire(Duration.ofMillis(100)))
                    .isInstanceOf(LockTimeoutException.class);
            lease.ensureHeld();
        }
        assertThat(tokens).isEmpty();
    }

    /** Sends the commands of the Redis documentation, as Redlock clients do. */
    @ParameterizedTest
    @ValueSource(strings = {"redlock:", ""})
    void clientsOfRedlockAndOursExcludeEachOther(String prefix) throws Exception {
        String key = prefix + LOCK;
        try (Holdfast beside = Migration.besideRedlock(nodes, prefix)) {
            assertThat(votes("SET", key, "theirs", "NX", "PX", "20000")).isEqualTo(3);
            Acquisition refused = beside.lock(LOCK).tryAcquire();
            assertThat(((Acquisition.Refused) refused).refusal().message()).contains("a foreign client ('theirs')");
            CompletableFuture<Lease> waiting = beside.lock(LOCK).acquireAsync(SOON);
            votes("DEL", key);

            try (Lease lease = waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(votes("SET", key, "theirs", "NX", "PX", "1")).isLessThan(2);
                lease.ensureHeld();
            }
        }
    }

    private static int votes(String... command) throws IOException {
        int votes = 0;
        for (RedisProcess node : redis) {
            try (RedisConsole console = node.console()) {
                votes += "OK".equals(console.send(command)) ? 1 : 0;
            }
        }
        return votes;
    }
}
