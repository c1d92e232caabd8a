package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.MemoryConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Very many idle sessions at one server. Their connections are in memory, since many systems allow a process fewer open files. So the figures include both ends of
 * each connection. {@code -Dholdfast.sessions=50000} sets their number.
 */
@Tag("slow")
class IdleSessionsTest {

    private static final int SESSIONS = Integer.getInteger("holdfast.sessions", 2_000);

    /** A session over TCP takes about 9 KB of heap. The client's end of a connection in memory takes some more. */
    private static final long MOST_BYTES = 20_000;

    private static final int MOST_MORE_THREADS = 20;
    private static final int LOCKS = 200;

    @Test
    @Timeout(600)
    void eachTakesLittleMemoryAndNoThread() throws Exception {
        Limits limits = Limits.defaults()
                .withSessions(SESSIONS + 1)
                .withConnections(SESSIONS + 100, SESSIONS + 100)
                .withRequestsPerSecond(1_000_000);
        try (LockServer server = LockServer.builder()
                .port(0)
                .limits(limits)
                .sessionGrace(Duration.ofMinutes(10))
                .start()) {
            MemoryConnector connector = connector(server);
            connect(connector).turn(1); // loads all classes
            int threads = Thread.activeCount();
            long before = heap();

            List<Connection> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                sessions.add(connect(connector));
            }

            long each = (heap() - before) / SESSIONS;
            assertThat(new Http(server).get("/metrics").response().body())
                    .contains("\nholdfast_server_sessions " + (double) (SESSIONS + 1));
            assertThat(each).isLessThan(MOST_BYTES);
            await("threads that are idle end") // those that have connected the sessions
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> Thread.activeCount() < threads + MOST_MORE_THREADS);
            List<Long> micros = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                long start = System.nanoTime();
                sessions.get(i * (SESSIONS / LOCKS)).turn(2);
                micros.add((System.nanoTime() - start) / 1_000);
            }
            micros.sort(null);
            System.out.println(
                    SESSIONS + " sessions, " + each + " bytes of heap each (both ends), " + threads + " and then "
                            + Thread.activeCount() + " threads; acquire and release over one: " + micros.get(LOCKS / 2)
                            + " µs median, " + micros.get(LOCKS - 1) + " µs at most");
        }
    }

    private static long heap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** Adds a connector without a port. No user needs one, so the server has no method for it. */
    private static MemoryConnector connector(LockServer server) throws Exception {
        Server jetty = find(server, Server.class, 5);
        assertThat(jetty).isNotNull();
        MemoryConnector connector = new MemoryConnector(jetty, new HttpConnectionFactory());
        connector.setIdleTimeout(Duration.ofMinutes(20).toMillis());
        jetty.addConnector(connector);
        connector.start();
        return connector;
    }

    /** Returns the first object of this type that the fields lead to, in so many steps. */
    private static <T> T find(Object from, Class<T> type, int steps) throws IllegalAccessException {
        if (type.isInstance(from) || from == null || steps == 0) {
            return type.isInstance(from) ? type.cast(from) : null;
        }
        if (from instanceof Iterable<?> many) {
            for (Object one : many) {
                T found = find(one, type, steps - 1);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        if (!from.getClass().getName().startsWith("dev.holdfast.server")) {
            return null;
        }
        for (Field field : from.getClass().getDeclaredFields()) {
            field.setAccessible(true);
            T found = find(field.get(from), type, steps - 1);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static Connection connect(MemoryConnector connector) throws Exception {
        Connection made = new Connection(connector.connect().getLocalEndPoint());
        made.write(("GET /v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        assertThat(made.readUntil("\r\n\r\n", () -> {})).startsWith("HTTP/1.1 101");
        made.send("{\"id\":1,\"op\":\"hello\"}");
        made.readUntil("\"validMillis\"");
        return made;
    }

    /**
     * The client's end of a connection in memory. It keeps no buffer, so that it takes little memory.
     *
     * <p>Jetty's endpoints in memory can lose a wake-up: {@code fillInterested} looks for bytes and sets its callback under another lock than the one
     * under which the other end writes. So this end looks for bytes itself, and after a second of silence it wakes the server with a ping.
     */
    private record Connection(EndPoint end) {

        private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};

        /** The reaction to a silence. */
        private interface Wake {

            void send() throws Exception;
        }

        void write(byte[] bytes) throws Exception {
            CompletableFuture<Void> written = new CompletableFuture<>();
            end.write(
                    Callback.from(() -> written.complete(null), written::completeExceptionally),
                    ByteBuffer.wrap(bytes));
            written.get(30, TimeUnit.SECONDS);
        }

        /** Sends a short text over the WebSocket; the mask is zero, which the protocol allows. */
        void send(String text) throws Exception {
            byte[] payload = text.getBytes(StandardCharsets.UTF_8);
            ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
            frame.put((byte) 0x81)
                    .put((byte) (0x80 | 126))
                    .putShort((short) payload.length)
                    .putInt(0)
                    .put(payload);
            write(frame.array());
        }

        /** Reads until this text has arrived, and returns all that has. */
        String readUntil(String text) throws Exception {
            return readUntil(text, () -> write(PING));
        }

        private String readUntil(String text, Wake wake) throws Exception {
            StringBuilder all = new StringBuilder();
            ByteBuffer buffer = BufferUtil.allocate(4_096);
            long start = System.nanoTime();
            long heard = start;
            while (all.indexOf(text) < 0) {
                BufferUtil.clear(buffer);
                int read = end.fill(buffer);
                if (read < 0) {
                    throw new IOException("the server closed the connection after: " + all);
                }
                all.append(StandardCharsets.ISO_8859_1.decode(buffer));
                if (read == 0) {
                    assertThat(System.nanoTime() - start)
                            .as("no answer; there is: %s", all)
                            .isLessThan(30 * SILENCE_NANOS);
                    LockSupport.parkNanos(20_000);
                }
                if (System.nanoTime() - heard > SILENCE_NANOS) {
                    heard = System.nanoTime();
                    wake.send();
                }
            }
            return all.toString();
        }

        /** Acquires and releases a lock over the session. */
        void turn(int number) throws Exception {
            send("{\"id\":" + 2 * number + ",\"op\":\"acquire\",\"lock\":\"idle\",\"ttl\":\"30s\",\"wait\":\"10s\"}");
            String granted = readUntil("\"value\"");
            String lease = granted.replaceFirst("(?s).*\"lease\":\\{\"id\":\"([^\"]+)\".*", "$1");
            send("{\"id\":" + (2 * number + 1) + ",\"op\":\"release\",\"lease\":\"" + lease + "\"}");
            readUntil("\"released\"");
        }
    }
}
