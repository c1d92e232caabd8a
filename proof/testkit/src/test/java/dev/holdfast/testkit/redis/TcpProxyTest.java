package dev.holdfast.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.redis.process.RedisConsole;
import dev.holdfast.redis.process.RedisProcess;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

    private static final Duration SHORT = Duration.ofMillis(150);

    private static RedisProcess server;
    private TcpProxy proxy;

    @BeforeAll
    static void start() {
        server = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.flushAll();
        proxy = TcpProxy.to(server);
    }

    @AfterEach
    void close() {
        proxy.close();
        proxy.close();
        await().until(() -> proxy.open() == 0);
    }

    private RedisConsole connect() throws IOException {
        return connect(Duration.ofSeconds(10));
    }

    private RedisConsole connect(Duration timeout) throws IOException {
        return RedisConsole.connect("127.0.0.1", proxy.port(), timeout);
    }

    private static CompletableFuture<Object> inBackground(RedisConsole console, String... args) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return console.send(args);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void awaitMoreAcceptedThanPassed(Direction direction) {
        await().until(() -> proxy.accepted(direction) > proxy.passed(direction));
    }

    @Test
    void handsOnAndCounts() throws Exception {
        String large = "x".repeat(1_000_000);
        try (RedisConsole console = connect()) {
            console.send("SET", "k", large);
            assertThat(console.send("GET", "k")).isEqualTo(large);
        }
        await().until(() -> proxy.open() == 0);
        assertThat(proxy.connections()).isEqualTo(1);
        for (Direction direction : Direction.values()) {
            assertThat(proxy.passed(direction)).isGreaterThan(1_000_000).isEqualTo(proxy.accepted(direction));
        }
        assertThat(proxy.uri()).hasPort(proxy.port());
    }

    @Test
    void whatIsHeldGoesOnLater() throws Exception {
        try (RedisConsole console = connect()) {
            console.send("PING");
            proxy.hold(Direction.TO_SERVER);
            CompletableFuture<Object> answer = inBackground(console, "SET", "k", "v");
            awaitMoreAcceptedThanPassed(Direction.TO_SERVER);
            assertThat(server.keys()).isEmpty();

            proxy.pass();
            assertThat(answer.get()).isEqualTo("OK");
        }
    }

    @Test
    void anAnswerCanBeHeldWhileTheRequestPasses() throws Exception {
        try (RedisConsole console = connect()) {
            console.send("PING");
            proxy.hold(Direction.TO_CLIENT);
            CompletableFuture<Object> answer = inBackground(console, "SET", "k", "v");
            awaitMoreAcceptedThanPassed(Direction.TO_CLIENT);
            assertThat(server.keys()).containsExactly("k");
            assertThat(answer).isNotDone();

            proxy.pass();
            assertThat(answer.get()).isEqualTo("OK");
        }
    }

    @Test
    void aServerCannotSendAllWhileNobodyReads() throws Exception {
        String value = "x".repeat(20_000_000);
        server.send("SET", "k", value);
        try (RedisConsole console = connect()) {
            console.send("PING");
            long before = proxy.accepted(Direction.TO_CLIENT);
            proxy.stall(Direction.TO_CLIENT);
            CompletableFuture<Object> answer = inBackground(console, "GET", "k");
            await().during(SHORT).until(() -> proxy.accepted(Direction.TO_CLIENT) == before);
            assertThat(answer).isNotDone();

            proxy.pass();
            assertThat(answer.get()).isEqualTo(value);
        }
    }

    @Test
    void laterConnectionsOvertakeHeldOnes() throws Exception {
        try (RedisConsole first = connect();
                RedisConsole second = connect()) {
            first.send("PING");
            proxy.holdOpen(Direction.TO_SERVER);
            CompletableFuture<Object> answer = inBackground(first, "RPUSH", "order", "first");
            awaitMoreAcceptedThanPassed(Direction.TO_SERVER);
            try (RedisConsole later = connect()) {
                assertThat(later.send("RPUSH", "order", "later")).isEqualTo(1L);
            }
            proxy.pass();
            assertThat(answer.get()).isEqualTo(2L);
            assertThat(second.send("LRANGE", "order", "0", "-1")).isEqualTo(List.of("later", "first"));
        }
    }

    @Test
    void everyByteIsDelayedByTheSame() throws Exception {
        try (RedisConsole console = connect()) {
            console.send("PING");
            proxy.delay(Duration.ofMillis(60), Direction.TO_SERVER);
            proxy.delay(Duration.ofMillis(30), Direction.TO_CLIENT);
            long start = System.nanoTime();
            console.send("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(90));
            proxy.pass();
            assertThat(console.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aBlackHoleSwallowsOneDirection() throws Exception {
        CompletableFuture<Object> answer;
        try (RedisConsole console = connect()) {
            console.send("PING");
            proxy.blackHole(Direction.TO_CLIENT);
            answer = inBackground(console, "SET", "k", "v");
            awaitMoreAcceptedThanPassed(Direction.TO_CLIENT);
            assertThat(server.keys()).containsExactly("k");
            proxy.pass();
            assertThat(server.send("PING")).isEqualTo("PONG");
            assertThat(answer).isNotDone();
        }
        await().until(answer::isCompletedExceptionally);
    }

    @Test
    void connectionsAreCutEitherWay() throws Exception {
        try (RedisConsole fin = connect()) {
            fin.send("PING");
            proxy.cut(Disconnect.FIN);
            assertThatThrownBy(() -> fin.send("PING")).isInstanceOfAny(EOFException.class, SocketException.class);
        }
        await().until(() -> proxy.open() == 0);
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            await().until(() -> proxy.open() == 1);
            proxy.cut(Disconnect.FIN);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            await().until(() -> proxy.connections() == 3 && proxy.open() == 1);
            proxy.cut(Disconnect.RST);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        try (RedisConsole next = connect()) {
            assertThat(next.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aConnectionIsCutAfterSoManyBytes() throws Exception {
        proxy.cutAfter(3, Disconnect.FIN);
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("+PO");
        }
        try (RedisConsole console = connect()) {
            assertThat(console.send("PING")).isEqualTo("PONG");
        }
        assertThatThrownBy(() -> proxy.cutAfter(0, Disconnect.RST)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void newConnectionsAreRefusedAndOldOnesGoOn() throws Exception {
        try (RedisConsole old = connect()) {
            old.send("PING");
            proxy.refuse();
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(old.send("PING")).isEqualTo("PONG");
            proxy.pass();
            try (RedisConsole next = connect()) {
                assertThat(next.send("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void aSilentOneAcceptsAndSaysNothing() throws Exception {
        proxy.beSilent();
        try (RedisConsole console = connect(SHORT)) {
            assertThatThrownBy(() -> console.send("PING")).isInstanceOf(SocketTimeoutException.class);
        }
        await().until(() -> proxy.open() == 0);
        proxy.pass();
        try (RedisConsole console = connect()) {
            assertThat(console.send("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aHalfCloseIsHandedOn() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(7)).hasSize(7);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read())
                    .as("Redis closes in turn")
                    .isEqualTo(-1);
        }
        await().until(() -> proxy.open() == 0);
    }

    @Test
    void aServerThatIsDownResetsItsClients() throws Exception {
        try (RedisProcess down = RedisProcess.start();
                TcpProxy before = TcpProxy.to(down)) {
            down.kill();
            assertThatThrownBy(() -> {
                        try (RedisConsole console = RedisConsole.connect("127.0.0.1", before.port())) {
                            console.send("PING");
                        }
                    })
                    .isInstanceOf(SocketException.class);
            down.restart();
            try (RedisConsole console = RedisConsole.connect("127.0.0.1", before.port())) {
                assertThat(console.send("PING")).isEqualTo("PONG");
            }
        }
    }
}
