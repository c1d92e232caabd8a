package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.redis.TcpProxy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisConsoleTest {

    private static RedisProcess server;

    @BeforeAll
    static void start() {
        server = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void answersComeAsValues() throws Exception {
        try (RedisConsole console = server.console()) {
            assertThat(console.send("PING")).isEqualTo("PONG");
            assertThat(console.send("SET", "k", "grüß dich\r\n")).isEqualTo("OK");
            assertThat(console.send("GET", "k")).isEqualTo("grüß dich\r\n");
            assertThat(console.send("GET", "absent")).isNull();
            assertThat(console.send("INCR", "n")).isEqualTo(1L);
            assertThat(console.send("EVAL", "return {1, 'a', {}, false}", "0"))
                    .isEqualTo(Arrays.asList(1L, "a", List.of(), null));
        }
    }

    @Test
    void anErrorIsThrownWithTheServersWordsAndTheConnectionGoesOn() throws Exception {
        try (RedisConsole console = server.console()) {
            console.send("SET", "text", "x");
            assertThatThrownBy(() -> console.send("LPUSH", "text", "y"))
                    .isInstanceOf(RedisErrorReply.class)
                    .hasMessageStartingWith("WRONGTYPE Operation against a key")
                    .extracting(error -> ((RedisErrorReply) error).code())
                    .isEqualTo("WRONGTYPE");
            assertThat(console.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void anErrorWithinAnArrayIsAValue() throws Exception {
        try (RedisConsole console = server.console()) {
            console.send("SET", "text", "x");
            console.send("MULTI");
            console.send("LPUSH", "text", "y");
            console.send("GET", "text");
            assertThat((List<?>) console.send("EXEC")).hasSize(2).last().isEqualTo("x");
        }
    }

    @Test
    void bytesArriveAsTheyAre() throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        try (RedisConsole console = server.console()) {
            console.send("SET".getBytes(StandardCharsets.US_ASCII), new byte[] {'b', 0}, all);
            assertThat(console.send("STRLEN", "b\0")).isEqualTo(256L);
        }
    }

    @Test
    void theServerTellsWhoItIs() {
        ServerInfo info = server.info();

        assertThat(info.runId()).matches("[0-9a-f]{40}");
        assertThat(info.uptime()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
        assertThat(info.role()).isEqualTo("master");
        assertThat(info.pid()).isEqualTo(server.pid());
    }

    @Test
    void aSilentServerIsATimeout() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server)) {
            proxy.beSilent();
            try (RedisConsole console = RedisConsole.connect("127.0.0.1", proxy.port(), Duration.ofMillis(50))) {
                assertThatThrownBy(() -> console.send("PING")).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void nonsenseIsAnErrorAndNeverHeedless() {
        for (String nonsense : List.of(
                "HTTP/1.1 400\r\n",
                "$-5\r\n",
                "$536870913\r\n",
                "$5\r\nabc",
                "$3\r\nabcdef",
                ":1x\r\n",
                "*-2\r\n",
                "+no end",
                "*1\r\n".repeat(1_000_000))) {
            RespReader reader = new RespReader(new ByteArrayInputStream(nonsense.getBytes(StandardCharsets.UTF_8)));
            assertThatThrownBy(reader::read).isInstanceOf(IOException.class);
        }
    }
}
