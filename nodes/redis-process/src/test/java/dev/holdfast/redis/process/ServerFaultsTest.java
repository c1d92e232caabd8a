package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults of a server that operators, other clients and shortages cause. */
class ServerFaultsTest {

    private RedisProcess server;
    private ServerFaults faults;

    @BeforeEach
    void start() {
        server = RedisProcess.start(RedisOptions.defaults().declareClean(false));
        faults = server.faults();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aFullMemoryRefusesWhatWritesUntilItIsFreed() {
        server.send("SET", "k", "v");
        faults.fillMemory("noeviction");

        assertThatThrownBy(() -> server.send("SET", "other", "v")).hasMessageStartingWith("OOM");
        assertThat(server.send("GET", "k")).isEqualTo("v");

        faults.freeMemory();
        assertThat(server.send("SET", "other", "v")).isEqualTo("OK");
        assertThat(server.keys()).containsExactly("k", "other");
    }

    @Test
    void aFullMemoryEvictsWhatIsOldWhereThePolicySaysSo() {
        for (int i = 0; i < 20; i++) {
            server.send("SET", "k" + i, "v");
        }
        faults.fillMemory("allkeys-lru");

        assertThat(server.keys("k*")).hasSizeLessThan(10);
        assertThat(server.send("SET", "other", "v")).isEqualTo("OK");
    }

    @Test
    void aSubscriberThatReadsNothingIsCutOffAtItsLimit() throws Exception {
        faults.limitPushBuffer(10_000);
        try (RedisConsole subscriber = server.console()) {
            subscriber.send("SUBSCRIBE", "news");
            String large = "x".repeat(1_000_000);

            await().untilAsserted(() ->
                    assertThat(server.send("PUBLISH", "news", large)).isEqualTo(0L));
        }
    }

    @Test
    void connectionsAreCutByTheirKind() throws Exception {
        try (RedisConsole subscriber = server.console();
                RedisConsole other = server.console()) {
            subscriber.send("SUBSCRIBE", "news");
            assertThat(faults.killSubscribers()).isEqualTo(1);
            assertThat(other.send("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> subscriber.send("PING")).isInstanceOf(IOException.class);

            assertThat(faults.killClients()).isGreaterThanOrEqualTo(1);
            assertThatThrownBy(() -> other.send("PING")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void tooManyConnectionsAreRefused() throws Exception {
        try (RedisConsole first = server.console();
                RedisConsole second = server.console()) {
            faults.limitClients(1);
            assertThatThrownBy(() -> server.send("PING")).hasMessageContaining("max number of clients");
            assertThat(second.send("CONFIG", "SET", "maxclients", "100")).isEqualTo("OK");
            assertThat(first.send("PING")).isEqualTo("PONG");
        }
        assertThat(server.send("PING")).isEqualTo("PONG");
    }

    @Test
    void aPauseHoldsUpWritesOrEverything() throws Exception {
        try (RedisConsole hasty = RedisConsole.connect(server.host(), server.port(), Duration.ofMillis(200))) {
            faults.pauseWrites(Duration.ofMinutes(1));
            assertThat(server.send("GET", "k")).isNull();
            assertThatThrownBy(() -> hasty.send("SET", "k", "v")).isInstanceOf(SocketTimeoutException.class);
            faults.endPause();
            await().untilAsserted(() -> assertThat(server.send("GET", "k")).isEqualTo("v"));
        }
        try (RedisConsole hasty = RedisConsole.connect(server.host(), server.port(), Duration.ofMillis(200))) {
            faults.pauseCommands(Duration.ofSeconds(2));
            assertThatThrownBy(() -> hasty.send("GET", "k")).isInstanceOf(SocketTimeoutException.class);
            assertThat(server.send("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aSlowScriptKeepsTheServerBusyUntilItIsClosed() {
        try (SlowScript script = faults.runSlowScript()) {
            assertThatThrownBy(() -> server.send("GET", "k")).hasMessageStartingWith("BUSY");
            script.close();
            assertThat(server.send("GET", "k")).isNull();
        }
    }

    @Test
    void scriptsAreForgotten() {
        String script = (String) server.send("SCRIPT", "LOAD", "return 7");
        assertThat(server.send("EVALSHA", script, "0")).isEqualTo(7L);

        faults.forgetScripts();

        assertThatThrownBy(() -> server.send("EVALSHA", script, "0")).hasMessageStartingWith("NOSCRIPT");
    }

    @Test
    void theLengthOfTheFileTellsWhatToCutOff() {
        try (RedisProcess kept =
                RedisProcess.start(RedisOptions.defaults().appendOnly(true).config("appendfsync always"))) {
            kept.send("SET", "k", "old");
            long before = kept.aofSize();
            kept.send("SET", "k", "new");
            kept.kill();
            kept.truncateAof(kept.aofSize() - before);
            kept.restart();

            assertThat(kept.send("GET", "k")).isEqualTo("old");
        }
    }
}
