package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.management.JMException;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many requests of clients without a token leave nothing behind. The test counts the live objects of the whole process, so it needs to know
 * nothing about where the server or its libraries might keep something.
 *
 * <p>{@code -Dholdfast.flood=100000} sends as many requests of each kind.
 */
@Tag("slow")
class FloodTest {

    private static final int REQUESTS = Integer.getInteger("holdfast.flood", 10_000);
    private static final int THREADS = 4;

    /** A leak leaves at least one object for each request; caches of connections come and go. */
    private static final int MOST_LEFT = REQUESTS / 2;

    /** Classes with fewer objects are left out, since the maps of this test would count themselves otherwise. */
    private static final int FEW = 100;

    /**
     * Texts, and the caches of header fields that a connection has, come and go everywhere in a JVM. A table that keeps some for each request
     * has entries of its own.
     */
    private static final Set<String> ANYWHERE =
            Set.of("[B", "java.lang.String", "org.eclipse.jetty.util.ArrayTrie$Node");

    private static final String SECRET = "all-all-all-all-all-all";
    private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    /** A kind of request, by its head without the host. */
    private enum Kind {
        SESSION_HANDSHAKES(false, 101, i -> "GET /v1/session HTTP/1.1\r\n" + UPGRADE + KEY),
        NODE_HANDSHAKES(false, 101, i -> "GET /v1/node HTTP/1.1\r\n" + UPGRADE + KEY),
        AUTHORISED_CLIENTS_THAT_RECONNECT(
                true, 101, i -> "GET /v1/node HTTP/1.1\r\nAuthorization: Bearer " + SECRET + "\r\n" + UPGRADE + KEY),
        AUTHORISED_SESSIONS_THAT_RECONNECT(
                true, 101, i -> "GET /v1/session HTTP/1.1\r\nAuthorization: Bearer " + SECRET + "\r\n" + UPGRADE + KEY),
        SESSION_HANDSHAKES_WITHOUT_A_TOKEN(true, 401, i -> "GET /v1/session HTTP/1.1\r\n" + UPGRADE + KEY),
        NODE_HANDSHAKES_WITH_A_WRONG_TOKEN(
                true, 401, i -> "GET /v1/node HTTP/1.1\r\nAuthorization: Bearer wrong-" + i + "\r\n" + UPGRADE + KEY),
        HANDSHAKES_OF_OTHER_ORIGINS(
                false,
                403,
                i -> "GET /v1/session HTTP/1.1\r\nOrigin: http://evil" + i + ".example\r\n" + UPGRADE + KEY),
        HANDSHAKES_WITHOUT_A_KEY(false, 0, i -> "GET /v1/session HTTP/1.1\r\n" + UPGRADE),
        HANDSHAKES_OF_ANOTHER_PROTOCOL(
                false, 0, i -> "GET /v1/node HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x" + i + "\r\n"),
        ORDINARY_REQUESTS_FOR_SESSIONS(false, 0, i -> "GET /v1/session HTTP/1.1\r\n"),
        ORDINARY_REQUESTS_FOR_NODES(false, 0, i -> "GET /v1/node HTTP/1.1\r\nCookie: JSESSIONID=node0" + i + "\r\n"),
        HANDSHAKES_WITH_COOKIES(
                false, 101, i -> "GET /v1/session HTTP/1.1\r\nCookie: JSESSIONID=node0x" + i + "\r\n" + UPGRADE + KEY),
        PATHS_THAT_ARE_NOT_THERE(false, 404, i -> "GET /v1/nothing" + i + " HTTP/1.1\r\n"),
        METHODS_THAT_ARE_NOT_THERE(false, 0, i -> "METHOD" + i + " /v1/locks HTTP/1.1\r\nContent-Length: 0\r\n"),
        QUERIES(false, 400, i -> "GET /healthz?q" + i + "=" + i + " HTTP/1.1\r\nX-Header-" + i + ": " + i + "\r\n"),
        LOCKS_WITHOUT_A_TOKEN(true, 401, i -> "GET /v1/locks?prefix=" + i + " HTTP/1.1\r\n");

        private final boolean withTokens;
        private final int status;
        private final IntFunction<String> head;

        /**
         * A kind.
         *
         * @param status what answers it; 0 for any refusal
         */
        Kind(boolean withTokens, int status, IntFunction<String> head) {
            this.withTokens = withTokens;
            this.status = status;
            this.head = head;
        }
    }

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private static LockServer open;
    private static LockServer guarded;

    @BeforeAll
    static void start() {
        Limits limits = Limits.defaults().withRequestsPerSecond(1_000_000);
        open = LockServer.builder().port(0).limits(limits).start();
        guarded = LockServer.builder()
                .port(0)
                .limits(limits)
                .tokens(List.of(new AccessToken("all", SECRET, List.of(""), Set.of(Right.ACQUIRE, Right.READ))))
                .start();
    }

    @AfterAll
    static void stop() {
        open.close();
        guarded.close();
    }

    @AfterEach
    void stopThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void e20_aFloodOfRequestsLeavesNothingBehind(Kind kind) throws Exception {
        send(kind, 500); // so that pools and caches have what they need
        Map<String, Long> before = live();

        send(kind, REQUESTS);

        Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
            Map<String, Long> after = live();
            assertThat(more(before, after))
                    .as("live objects that %s requests have left", REQUESTS)
                    .isEmpty();
            assertThat(after).as("servlet sessions").doesNotContainKey("org.eclipse.jetty.session.ManagedSession");
        });
    }

    @Test
    void e20_noAnswerSetsACookie() throws Exception {
        for (Kind kind : Kind.values()) {
            try (Connection connection = new Connection(kind.withTokens ? guarded : open)) {
                assertThat(connection.ask(kind.head.apply(1)).toLowerCase(java.util.Locale.ROOT))
                        .as("%s", kind)
                        .doesNotContain("set-cookie");
            }
        }
    }

    private void send(Kind kind, int count) throws Exception {
        List<Future<?>> parts = new ArrayList<>();
        for (int part = 0; part < THREADS; part++) {
            int first = part;
            parts.add(threads.submit(() -> {
                Connection connection = null;
                try {
                    for (int i = first; i < count; i += THREADS) {
                        if (connection == null) {
                            connection = new Connection(kind.withTokens ? guarded : open);
                        }
                        String answer = connection.ask(kind.head.apply(i));
                        check(kind, answer);
                        if (answer.startsWith("HTTP/1.1 101") || answer.contains("Connection: close")) {
                            connection.close();
                            connection = null;
                        }
                    }
                } finally {
                    if (connection != null) {
                        connection.close();
                    }
                }
                return null;
            }));
        }
        for (Future<?> part : parts) {
            part.get(4, TimeUnit.MINUTES);
        }
    }

    private static void check(Kind kind, String answer) {
        int status = Integer.parseInt(answer.substring("HTTP/1.1 ".length()).substring(0, 3));
        if (kind.status == 0) {
            assertThat(status).as("%s", answer).isBetween(400, 499);
        } else {
            assertThat(status).as("%s", answer).isEqualTo(kind.status);
        }
    }

    /** How many objects of each class are live. */
    private static Map<String, Long> live() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Long> live = new HashMap<>();
        for (String line : histogram.split("\n")) {
            String[] columns = line.strip().split("\\s+");
            if (columns.length >= 4 && columns[0].endsWith(":") && Long.parseLong(columns[1]) >= FEW) {
                live.merge(columns[3], Long.parseLong(columns[1]), Long::sum);
            }
        }
        return live;
    }

    private static Map<String, Long> more(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> more = new HashMap<>();
        after.forEach((type, count) -> {
            long added = count - before.getOrDefault(type, 0L);
            if (added > MOST_LEFT && !ANYWHERE.contains(type)) {
                more.put(type, added);
            }
        });
        return more;
    }

    /** A connection that is reset when it is closed, so that its port is free again at once. */
    private static final class Connection implements AutoCloseable {

        private static final int LONGEST_ANSWER = 2_048;
        private static final String LENGTH = "Content-Length: ";

        private final SocketChannel socket;
        private final ByteBuffer buffer = ByteBuffer.allocate(LONGEST_ANSWER);

        Connection(LockServer server) throws IOException {
            socket = SocketChannel.open(
                    new InetSocketAddress(server.uri().getHost(), server.uri().getPort()));
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }

        /** Where the answer ends; -1 before its head has arrived. */
        private static int end(String answer) {
            int head = answer.indexOf("\r\n\r\n");
            int field = answer.indexOf(LENGTH);
            if (head < 0 || field < 0 || field > head) {
                return head < 0 ? -1 : head + 4;
            }
            int from = field + LENGTH.length();
            return head + 4 + Integer.parseInt(answer.substring(from, answer.indexOf("\r\n", from)));
        }

        /** Sends a request without a body, and reads its answer. */
        String ask(String head) throws IOException {
            socket.write(ByteBuffer.wrap((head + "Host: localhost\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1)));
            buffer.clear();
            String answer = "";
            int end = -1;
            while (end < 0 || buffer.position() < end) {
                if (socket.read(buffer) < 0) {
                    throw new IOException("closed after: " + answer);
                }
                answer = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
                end = end(answer);
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
