package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.holdfast.server.HalfOpenClients;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many connections that send little: they slow down no other client. */
@Tag("slow")
class ConnectionsTest {

    /** As many as a server should bear, or as this process may have open. */
    private static final int HALF_OPEN = (int) Math.min(10_000, mostOpenFiles() - 1_000);

    private static final String CROWDED_OUT = "holdfast_server_connections_closed_total{why=\"too-many\"}";
    private static final String HEAD = HalfOpenClients.HEAD;

    /** For what a busy machine may take long for. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<Socket> sockets = new ArrayList<>();
    private LockServer server;
    private Http http;

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private void start(Duration idle, Limits limits) {
        server = LockServer.builder().port(0).idleTimeout(idle).limits(limits).start();
        http = new Http(server);
    }

    private Socket socket(String text) throws IOException {
        Socket socket = new Socket(server);
        sockets.add(socket);
        socket.write(text);
        return socket;
    }

    private long metric(String name) {
        return http.get("/metrics")
                .is(200)
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private void awaitMetric(String name, LongPredicate wanted) {
        Awaitility.await(name)
                .atMost(PATIENCE)
                .ignoreExceptions() // where the connection that is asked on is closed at that moment
                .until(() -> wanted.test(metric(name)));
    }

    /** Waits until this many connections are open. Each look has a connection of its own, which it counts, and leaves none behind. */
    private void awaitOpen(int count) {
        String look = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        Awaitility.await(count + " open connections")
                .atMost(PATIENCE)
                .until(() -> socket(look)
                        .readAll()
                        .lines()
                        .anyMatch(line -> line.matches("holdfast_server_connections " + count + "(\\.0)?")));
    }

    /** Until the server closes it; a reset is an end too. */
    private static String readToItsEnd(Socket socket) throws IOException {
        try {
            return socket.readAll();
        } catch (SocketException reset) {
            return "";
        }
    }

    private void othersAreServed() {
        Reply lease = http.acquire("{'lock':'honest'}").is(201);
        http.release(lease).is(200);
    }

    private static long usedBytes() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
    }

    private static long mostOpenFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** Ten thousand at once, from a process of their own, so that what is measured is the server's end. */
    @Test
    void tenThousandHalfOpenOnesAreInNobodysWay() throws Exception {
        start(Duration.ofMinutes(2), Limits.defaults().withConnections(20_000, 20_000));
        othersAreServed();
        long before = usedBytes();
        int served = 0;
        try (HalfOpenClients clients = HalfOpenClients.start(server.uri(), HALF_OPEN)) {
            long start = System.nanoTime();
            while (!clients.areOpen() || metric("holdfast_server_connections") < HALF_OPEN) {
                assertThat(System.nanoTime() - start).as("opened in time").isLessThan(PATIENCE.toNanos());
                othersAreServed();
                served++;
            }
            long perConnection = (usedBytes() - before) / HALF_OPEN;
            System.out.println(HALF_OPEN + " half-open connections at once: " + perConnection + " bytes each, " + served
                    + " locks meanwhile");

            othersAreServed();
            assertThat(metric("holdfast_server_connections")).isGreaterThanOrEqualTo(HALF_OPEN);
            assertThat(metric(CROWDED_OUT)).isZero();
            assertThat(served).isPositive();
            assertThat(perConnection).as("bytes for each").isLessThan(16_384);
        }
        Awaitility.await().atMost(PATIENCE).until(() -> metric("holdfast_server_connections") < 50);
        othersAreServed();
    }

    @Test
    void halfOpenOnesEnd() throws Exception {
        start(Duration.ofSeconds(2), Limits.defaults());
        for (int i = 0; i < 200; i++) {
            socket(i % 2 == 0 ? HEAD + "X-Half: " : HEAD + "Content-Length: 1000\r\n\r\n{\"lock\":\"a\"");
        }
        Awaitility.await().atMost(PATIENCE).until(() -> metric("holdfast_server_connections") < 20);

        othersAreServed();
        assertThat(metric("holdfast_server_connections_closed_total{why=\"too-slow\"}"))
                .as("closed by the server")
                .isPositive();
    }

    @Test
    void whatDripsInIsNoWholeRequest() throws Exception {
        start(Duration.ofSeconds(2), Limits.defaults());
        Socket head = socket(HEAD + "X-Slow: ");
        Socket body = socket(HEAD + "Content-Length: 10000\r\n\r\n");
        Socket chunks = socket(HEAD + "Transfer-Encoding: chunked\r\n\r\n");

        for (Socket slow : List.of(head, body, chunks)) {
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        drip(head, "x");
                        drip(body, "x");
                        drip(chunks, "1\r\nx\r\n");
                        return isClosed(slow);
                    });
        }
        othersAreServed();
    }

    private static void drip(Socket socket, String text) {
        try {
            socket.write(text);
        } catch (IOException e) {
            // closed by the server, which is what is waited for
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.write("x");
            return !socket.isOpenAfter(10);
        } catch (IOException e) {
            return true;
        }
    }

    /** Each piece comes in a buffer of its own that is larger than all of them. */
    @Test
    void aBodyInTinyPiecesCostsItsBytesOnly() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults());
        othersAreServed();
        long before = usedBytes();
        for (int i = 0; i < 40; i++) {
            socket(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
        }
        for (int piece = 0; piece < 300; piece++) {
            for (Socket socket : sockets) {
                socket.write("1\r\nx\r\n");
            }
            othersAreServed(); // so that what was written has been read, piece by piece
        }

        assertThat((usedBytes() - before) / sockets.size()).as("bytes for each").isLessThan(200_000);
    }

    @Test
    void whereThereAreTooManyTheLongestSilentOneGoes() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults().withConnections(1_000, 20));
        Socket first = socket(HEAD);
        awaitOpen(2); // the server opens several at once in any order
        for (int i = 0; i < 60; i++) {
            socket(HEAD);
        }
        awaitMetric(CROWDED_OUT, closed -> closed >= 41); // so that none of ours is any more while it is used

        othersAreServed();

        assertThat(readToItsEnd(first)).isEmpty();
        awaitMetric("holdfast_server_connections", open -> open <= 20);
    }

    @Test
    void theLimitInAllIsOneToo() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults().withConnections(10, 1_000));
        for (int i = 0; i < 30; i++) {
            socket(HEAD);
        }
        awaitMetric(CROWDED_OUT, closed -> closed >= 20); // so that none of ours is any more while it is used

        othersAreServed();
        awaitMetric("holdfast_server_connections", open -> open <= 10);
    }

    @Test
    void whoWaitsForALockIsNotCrowdedOut() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults().withConnections(1_000, 20));
        Reply lease = http.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> waiter = http.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 1);
        for (int i = 0; i < 60; i++) {
            socket(HEAD);
        }
        awaitMetric(CROWDED_OUT, closed -> closed >= 40); // so that none of ours is any more while it is used

        http.release(lease).is(200);
        waiter.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(201);
    }

    @Test
    void connectionsThatAreGoneAreForgotten() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults());
        for (int i = 0; i < 50; i++) {
            socket(i % 2 == 0 ? HEAD : "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        Awaitility.await().atMost(Http.PATIENCE).until(() -> metric("holdfast_server_connections") > 50);
        for (Socket socket : sockets) {
            socket.close();
        }
        Awaitility.await().atMost(Http.PATIENCE).until(() -> metric("holdfast_server_connections") < 20);
    }

    @Test
    void aLockHasALimitOfThoseWhoWaitForIt() {
        start(Duration.ofSeconds(30), Limits.defaults().withQueuePerLock(2));
        http.acquire("{'lock':'a'}").is(201);
        http.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        http.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 2);

        Reply refused = http.acquire("{'lock':'a','wait':'25s'}").isProblem(429, "too-many");

        assertThat(refused.text("detail")).contains("lock 'a'", "2");
        http.acquire("{'lock':'a'}").isProblem(409, "held");
        http.acquire("{'lock':'b','wait':'25s'}").is(201);
    }

    @Test
    void aClientHasALimitOfStreams() throws Exception {
        start(Duration.ofSeconds(30), Limits.defaults().withStreams(1));
        Socket one = socket("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(one.readSome()).startsWith("HTTP/1.1 200");

        http.get("/v1/events").isProblem(429, "too-many");
    }
}
