package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.redis.process.RedisConsole;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that follow the Redis documentation's algorithm, and Holdfast, exclude each other. */
@Tag("slow")
class ForeignClientTest {

    private static final String LOCK = "orders:42";
    private static final String KEY = "lock:orders:42";

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aPlainRedlockValueExcludesHoldfastAndIsTakenOverWhenItEnds(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Holdfast holdfast = live.client(LiveNodes::patient);
            int majority = nodes / 2 + 1;
            for (int i = 0; i < majority; i++) {
                assertThat(send(live, i, "SET", KEY, "foreign-value-7", "NX", "PX", "60000"))
                        .isEqualTo("OK");
            }
            Acquisition refused = holdfast.lock(LOCK).tryAcquire();
            assertThat(refused.isHeld()).isFalse();
            assertThat(((Acquisition.Refused) refused).refusal().message())
                    .contains("HELD by a foreign client ('foreign-value-7')");
            CompletableFuture<Lease> waiting = holdfast.lock(LOCK).acquireAsync(Duration.ofSeconds(30));
            LiveNodes.awaitWaiters(holdfast, LOCK, 1);
            for (int i = 0; i < majority; i++) {
                send(live, i, "DEL", KEY);
            }
            try (Lease lease = waiting.get(20, TimeUnit.SECONDS)) { // far sooner than the minute it might have lasted
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aLeaseExcludesPlainRedlockClients(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Holdfast holdfast = live.client(LiveNodes::patient);
            for (boolean shared : new boolean[] {false, true}) {
                var lock = shared ? holdfast.lock(LOCK).shared() : holdfast.lock(LOCK);
                try (Lease lease = lock.acquire(LiveNodes.SOON)) {
                    LiveNodes.awaitWaiters(holdfast, LOCK, 0);
                    int refusing = 0;
                    for (int i = 0; i < nodes; i++) {
                        refusing += send(live, i, "SET", KEY, "foreign", "NX", "PX", "1") == null ? 1 : 0;
                    }
                    assertThat(refusing).isGreaterThan(nodes / 2);
                    lease.ensureHeld();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aKeyOfAnotherTypeIsRefusedClearlyAndStaysUntouched(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Holdfast holdfast = live.client(LiveNodes::patient);
            for (int i = 0; i < nodes; i++) {
                send(live, i, "HSET", KEY, "field", "value");
            }
            assertThatThrownBy(() -> holdfast.lock(LOCK).acquire(Duration.ofSeconds(1)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("something that is not a lock (a hash)");
            for (int i = 0; i < nodes; i++) {
                assertThat(send(live, i, "HGET", KEY, "field")).isEqualTo("value");
                send(live, i, "DEL", KEY);
            }
        }
    }

    private static @Nullable Object send(LiveNodes live, int node, String... command) throws IOException {
        try (RedisConsole console =
                RedisConsole.connect("127.0.0.1", live.server(node).port())) {
            return console.send(command);
        }
    }
}
