package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports at which something else than a Redis listens: a reason within the connect timeout, and no harm done. */
class HostileServerTest {

    private static final NodeOptions HASTY = NodeOptions.defaults().connectTimeout(Duration.ofMillis(300));

    /** Answers of a server that is not a Redis. */
    record Speech(String name, String text, boolean thenCloses) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Speech> speeches() {
        return Stream.of(
                new Speech("HTTP", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n<html>", true),
                new Speech("silence", "", false),
                new Speech("closes at once", "", true),
                new Speech("closes within a bulk", "$100\r\nabc", true),
                new Speech("negative bulk", "$-5\r\n", false),
                new Speech("huge bulk", "$536870912\r\nabc", false),
                new Speech("deep arrays", "*1\r\n".repeat(1_000_000), false),
                new Speech("noise", "\u0000\u0001\u00ff\u00fe".repeat(1000), false),
                new Speech("endless line", "+" + "x".repeat(2_000_000), false),
                new Speech("wrong answer to HELLO", "+OK\r\n", false),
                new Speech("integers", ":1\r\n".repeat(50), false),
                new Speech("empty maps", "%0\r\n".repeat(50), false),
                new Speech("errors", "-ERR no\r\n".repeat(50), false),
                new Speech("pushes", ">1\r\n+x\r\n".repeat(50), false),
                new Speech("nulls", "_\r\n".repeat(50), false));
    }

    @ParameterizedTest
    @MethodSource("speeches")
    void theNodeSaysThatItCantBeUsed(Speech speech) throws Exception {
        try (Speaker speaker = new Speaker(speech);
                NodeUser user = NodeUser.open("redis://127.0.0.1:" + speaker.port(), HASTY, 0)) {
            user.awaitTold("", 1);
            assertThat(user.told.lines.get(0)).matches("(?s)(unavailable|refused) .+");
            assertThat(user.told.lines.get(0)).hasSizeLessThan(400);
            Unavailable answer = (Unavailable) user.acquire("lock:a", user.newOwner());
            assertThat(answer.maybeExecuted()).isFalse();
            assertThat(user.told.count("available")).isZero();
        }
    }

    /** A server that hangs still accepts connections, and would otherwise have to answer many of each client when it goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"redis", "rediss", "redis-cluster"})
    void theNodeClosesAConnectionOnWhichItGotNoAnswerBeforeItOpensTheNext(String scheme) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                NodeUser user =
                        NodeUser.open(scheme + "://127.0.0.1:" + silent.getLocalPort(), NodeOptions.defaults(), 0);
                Socket first = silent.accept();
                Socket second = silent.accept()) {
            first.setSoTimeout(10_000); // Lettuce itself gives the server ten times the connect timeout
            assertThat(first.getInputStream().readAllBytes()).isNotEmpty();
            assertThat(second.isClosed()).isFalse();
            assertThat(user.told.count("available")).isZero();
        }
    }

    private static final class Speaker implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Speech speech;

        Speaker(Speech speech) throws IOException {
            this.speech = speech;
            Thread thread = new Thread(this::listen, "speaker");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void listen() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    speak(client);
                } catch (IOException e) {
                    // the node has hung up, or the test is over
                }
            }
        }

        private void speak(Socket client) throws IOException {
            InputStream in = client.getInputStream();
            in.read(new byte[4096]);
            OutputStream out = client.getOutputStream();
            out.write(speech.text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            while (!speech.thenCloses && in.read() >= 0) {}
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
