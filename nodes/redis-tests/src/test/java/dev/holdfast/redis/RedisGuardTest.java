package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.fence.StaleTokenException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of a real Redis that are guarded by their writers' tokens. */
class RedisGuardTest {

    private static TestServer server;
    private static RedisClient client;
    private RedisCommands<String, String> redis;
    private RedisGuard guard;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
        client = server.client();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        StatefulRedisConnection<String, String> connection = client.connect(server.uri());
        redis = connection.sync();
        redis.flushall();
        redis.scriptFlush();
        guard = new RedisGuard(connection);
    }

    @Test
    void equalAndLargerTokensWrite() {
        guard.set("price", "10", 7);
        guard.set("price", "11", 7);
        guard.set("price", "12", 8);

        assertThat(redis.get("price")).isEqualTo("12");
        assertThat(redis.get("{price}:holdfast:token")).isEqualTo("8");
        assertThat(redis.ttl("{price}:holdfast:token")).isEqualTo(-1);
    }

    @Test
    void aSmallerTokenChangesNothing() {
        guard.set("price", "10", 8);

        assertThatThrownBy(() -> guard.set("price", "9", 7))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(7);
                    assertThat(stale.newestToken()).isEqualTo(8);
                });
        assertThatThrownBy(() -> guard.delete("price", 7)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> guard.check("price", 7)).isInstanceOf(StaleTokenException.class);
        assertThat(redis.get("price")).isEqualTo("10");
    }

    @Test
    void whatIsDeletedStaysGuarded() {
        guard.set("price", "10", 8);
        guard.delete("price", 9);

        assertThatThrownBy(() -> guard.set("price", "9", 8)).isInstanceOf(StaleTokenException.class);
        assertThat(redis.exists("price")).isZero();
    }

    @Test
    void aReaderThatWillWriteLeavesItsTokenFirst() {
        redis.hset("order", "state", "open");
        guard.check("order", 5);

        assertThatThrownBy(() -> guard.check("order", 4)).isInstanceOf(StaleTokenException.class);
        assertThat(redis.hget("order", "state")).isEqualTo("open");
    }

    @ParameterizedTest
    @CsvSource({"price,{price}:holdfast:token", "shop{7}price,{7}:holdfast:token:shop{7}price"})
    void theTokenLiesInTheSlotOfTheValue(String key, String tokenKey) {
        assertThat(RedisGuard.tokenKey(key)).isEqualTo(tokenKey);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void aTokenThatCanBeNoneIsRefused(long token) {
        assertThatThrownBy(() -> guard.set("price", "1", token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token is " + token);
    }

    @Test
    void theLargestTokensAreComparedExactly() {
        long largest = (1L << 53) - 1;
        guard.check("price", largest);

        assertThatThrownBy(() -> guard.check("price", largest - 1)).isInstanceOf(StaleTokenException.class);
        guard.check("price", largest);
    }

    @Test
    void inARaceTheValueIsNeverOlderThanTheToken() throws Exception {
        AtomicLong next = new AtomicLong();
        List<RedisGuard> guards = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            guards.add(new RedisGuard(client.connect(server.uri())));
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicLong stale = new AtomicLong();
        for (RedisGuard own : guards) {
            threads.execute(() -> {
                for (long token = next.incrementAndGet(); token <= 2_000; token = next.incrementAndGet()) {
                    try {
                        own.set("price", Long.toString(token), token);
                    } catch (StaleTokenException e) {
                        stale.incrementAndGet();
                    }
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

        assertThat(redis.get("price")).isEqualTo("2000");
        assertThat(redis.get("{price}:holdfast:token")).isEqualTo("2000");
        System.out.println(stale + " of 2000 writes were stale");
    }
}
