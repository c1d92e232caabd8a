package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.Socket;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that send requests and do not read the answers: these take little memory of the server. */
@Tag("slow")
class UnreadAnswersTest {

    private static final String ONE = "one-one-one-one-one-one";
    private static final String TWO = "two-two-two-two-two-two";
    private static final int CONNECTIONS = 40;
    private static final int NAMES = 1_000;
    private static final String ALL_NAMES = "/v1/locks?limit=" + NAMES;

    private final List<Socket> sockets = new ArrayList<>();
    private LockServer server;
    private Http one;
    private Http two;

    @BeforeEach
    void start() {
        start(Limits.defaults());
    }

    private void start(Limits limits) {
        server = LockServer.builder()
                .port(0)
                .limits(limits)
                .tokens(List.of(
                        new AccessToken("one", ONE, List.of(""), Set.of(Right.ACQUIRE, Right.READ)),
                        new AccessToken("two", TWO, List.of(""), Set.of(Right.READ))))
                .start();
        one = new Http(server).with(ONE);
        two = new Http(server).with(TWO);
    }

    @AfterEach
    void stop() throws IOException {
        closeAll();
        server.close();
    }

    private void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Sends more requests on each connection than the system keeps answers for, so that the server keeps an answer of each. */
    private void readNothing(String path, String header, int requests) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            Socket socket = new Socket(server, 4_096);
            sockets.add(socket);
            socket.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").repeat(requests));
        }
        AtomicLong before = new AtomicLong();
        await().atMost(Http.PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
            long now = answered();
            return now >= CONNECTIONS && now == before.getAndSet(now) + 1;
        });
    }

    /** Returns how many requests the server has answered; this one becomes part of the next count. */
    private long answered() {
        return two.get("/metrics")
                .is(200)
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_server_requests_total"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Five thousand connections without a token could keep 550 MB. */
    @Test
    void theServerKeepsNoCopyOfItsDescriptionForEachReader() throws Exception {
        int length = new Http(server)
                .get("/v1/openapi.json")
                .is(200)
                .response()
                .body()
                .length();
        long before = usedBytes();

        readNothing("/v1/openapi.json", "", 60);

        assertThat((usedBytes() - before) / CONNECTIONS).isLessThan(length / 2);
    }

    /** Clients at two addresses could take all connections of the server. */
    @Test
    void whoReadsNothingKeepsOutNobody() throws Exception {
        server.close();
        start(Limits.defaults().withConnections(1_000, CONNECTIONS + 1));
        readNothing("/v1/openapi.json", "", 60);
        Socket last = new Socket(server, 4_096); // in the place of the connection that the count has used
        sockets.add(last);
        last.write("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(60));
        assertThat(last.readSome()).startsWith("HTTP/1.1 200");

        for (int i = 0; i < 10; i++) {
            new Http(server).with(TWO).get("/v1/nodes").is(200);
        }
    }

    @Test
    void theUnreadAnswersOfAClientHaveOneLimit() throws Exception {
        for (int i = 0; i < NAMES; i++) {
            one.acquire("{'lock':'" + i + "x".repeat(1_000) + "'}").is(201);
        }

        readNothing(ALL_NAMES, "Authorization: Bearer " + ONE + "\r\n", 10);

        one.get(ALL_NAMES).isProblem(429, "too-many");
        one.get("/v1/nodes").is(200);
        two.get(ALL_NAMES).is(200);
        closeAll();
        await().atMost(Http.PATIENCE).until(() -> one.get(ALL_NAMES).status() == 200);
    }
}
