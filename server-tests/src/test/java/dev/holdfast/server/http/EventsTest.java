package dev.holdfast.server.http;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.FlickeringNode;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.Socket;
import dev.holdfast.server.SwitchedNodes;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timing;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EventsTest {

    private LockServer server;
    private Http http;

    @BeforeEach
    void start() {
        server = LockServer.builder().port(0).start();
        http = new Http(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A reader of the stream, which is there once the first line has come. */
    private static final class Reader implements AutoCloseable {

        private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
        private final Stream<String> body;

        Reader(URI server, String query, @Nullable String lastId) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve("/v1/events" + query));
            if (lastId != null) {
                request.header("Last-Event-ID", lastId);
            }
            HttpResponse<Stream<String>> response =
                    HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
            body = response.body();
            CompletableFuture.runAsync(() -> body.forEach(lines::add));
            Awaitility.await().atMost(Http.PATIENCE).until(() -> !lines.isEmpty());
        }

        List<String> events() {
            return lines.stream()
                    .filter(line -> line.startsWith("event: "))
                    .map(line -> line.substring(7))
                    .toList();
        }

        List<String> ids() {
            return lines.stream()
                    .filter(line -> line.startsWith("id: "))
                    .map(line -> line.substring(4))
                    .toList();
        }

        /** How many extensions it was said to have been spared. */
        int leftOut() {
            return lines.stream()
                    .filter(line -> line.contains(" extensions are left out"))
                    .mapToInt(line -> Integer.parseInt(line.split(" ")[1]))
                    .sum();
        }

        void awaitEvents(String... expected) {
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(events()).containsExactly(expected));
        }

        void awaitLineWith(String text) {
            Awaitility.await(text)
                    .atMost(Http.PATIENCE)
                    .until(() -> lines.stream().anyMatch(line -> line.contains(text)));
        }

        @Override
        public void close() {
            body.close();
        }
    }

    @Test
    void theLifeOfALockIsTold() throws Exception {
        try (Reader reader = new Reader(server.uri(), "", null)) {
            Reply first = http.acquire("{'lock':'a'}").is(201);
            CompletableFuture<Reply> second = http.postAsync("/v1/leases", "{'lock':'a','wait':'25s','ttl':'400ms'}");
            reader.awaitEvents("granted", "queued");
            http.post("/v1/leases/" + first.text("id") + "/extend", "").is(200);
            reader.awaitEvents("granted", "queued", "extended");
            http.release(first);
            second.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(201);

            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(reader.events())
                            .hasSize(6)
                            .startsWith("granted", "queued", "extended")
                            .contains("released", "granted")
                            .endsWith("expired"));
            assertThat(reader.lines).noneMatch(line -> line.contains(first.text("id")));
            assertThat(reader.lines)
                    .anyMatch(line -> line.startsWith("data: ") && line.contains("\"token\":" + first.number("token")));
        }
    }

    @Test
    void aBrokenLeaseIsToldAsSuch() throws Exception {
        try (Reader reader = new Reader(server.uri(), "", null)) {
            Reply lease = http.acquire("{'lock':'a'}").is(201);
            http.post("/v1/break", "{'lock':'a','token':" + lease.number("token") + ",'reason':'test'}")
                    .is(200);

            http.post("/v1/leases/" + lease.text("id") + "/extend", "").isProblem(410, "lease-ended");

            reader.awaitEvents("granted", "broken");
        }
    }

    @Test
    void onlyThePrefixIsTold() throws Exception {
        try (Reader reader = new Reader(server.uri(), "?prefix=orders:", null)) {
            http.acquire("{'lock':'bills:1'}").is(201);
            http.acquire("{'lock':'orders:1'}").is(201);

            reader.awaitEvents("granted");
            reader.awaitLineWith("orders:1");
        }
    }

    @Test
    void whoComesBackIsToldWhatItMissed() throws Exception {
        String last;
        try (Reader reader = new Reader(server.uri(), "", null)) {
            http.acquire("{'lock':'a'}").is(201);
            reader.awaitEvents("granted");
            last = reader.ids().get(0);
        }
        Reply missed = http.acquire("{'lock':'b'}").is(201);
        http.release(missed);

        try (Reader reader = new Reader(server.uri(), "", last)) {
            reader.awaitEvents("granted", "released");
        }
        try (Reader reader = new Reader(server.uri(), "", "of-another-run.5")) {
            reader.awaitEvents("missed", "granted", "granted", "released");
        }
    }

    @Test
    void whatIsTooLongAgoIsSaidToBeMissed() {
        Timing timing = Timing.system("events-test");
        try {
            EventLog log = new EventLog(timing);
            for (int i = 0; i < EventLog.MOST_KEPT + 10; i++) {
                log.add(Event.Type.GRANTED, "a", Json.object());
            }
            List<Event> told = new ArrayList<>();
            boolean[] missed = new boolean[1];

            log.read(log.id(5), false, told::add, () -> missed[0] = true);
            assertThat(missed[0]).isTrue();
            assertThat(told).hasSize(EventLog.MOST_KEPT);

            told.clear();
            missed[0] = false;
            log.read(log.id(10), false, told::add, () -> missed[0] = true);
            assertThat(missed[0]).isFalse();
            assertThat(told)
                    .hasSize(EventLog.MOST_KEPT)
                    .first()
                    .extracting(Event::number)
                    .isEqualTo(11L);
        } finally {
            timing.scheduler().close();
        }
    }

    /** Ten thousand leases that are extended would leave nothing else to come back to. */
    @Test
    void extensionsPushNothingElseOut() {
        Timing timing = Timing.system("events-test");
        try {
            EventLog log = new EventLog(timing);
            log.add(Event.Type.GRANTED, "a", Json.object());
            for (int i = 0; i < 3 * EventLog.MOST_KEPT; i++) {
                log.add(Event.Type.EXTENDED, "b", Json.object());
            }
            log.add(Event.Type.RELEASED, "a", Json.object());
            List<Event> told = new ArrayList<>();
            AtomicInteger missed = new AtomicInteger();

            log.read(log.id(0), false, told::add, missed::incrementAndGet);
            assertThat(missed).hasValue(0);
            assertThat(told).hasSize(2 + EventLog.MOST_EXTENSIONS).isSortedAccordingTo(comparingLong(Event::number));
            assertThat(told.get(0).type()).isEqualTo(Event.Type.GRANTED);
            assertThat(told.get(told.size() - 1).type()).isEqualTo(Event.Type.RELEASED);

            log.read(log.id(0), true, told::add, missed::incrementAndGet);
            assertThat(missed).as("for who wants every extension").hasValue(1);
        } finally {
            timing.scheduler().close();
        }
    }

    @Test
    void ofVeryManyExtensionsSomeAreToldUnlessTheyAreAskedFor() throws Exception {
        Reply lease = http.acquire("{'lock':'a','ttl':'1h'}").is(201);
        String path = "/v1/leases/" + lease.text("id") + "/extend";
        int many = 5 * EventStream.MOST_EXTENSIONS_A_SECOND;
        try (Reader any = new Reader(server.uri(), "", null);
                Reader all = new Reader(server.uri(), "?types=extended,released", null)) {
            long start = System.nanoTime();
            List<CompletableFuture<Reply>> extended = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                extended.add(http.postAsync(path, ""));
            }
            extended.forEach(reply -> reply.orTimeout(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join()
                    .is(200));
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 2;
            http.release(lease);

            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(all.events()).endsWith("released"));
            assertThat(all.events()).hasSize(many + 1);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(any.events()).endsWith("released"));
            int told = any.events().size() - 1;
            assertThat((long) told).isPositive().isLessThanOrEqualTo(seconds * EventStream.MOST_EXTENSIONS_A_SECOND);
            assertThat(told + any.leftOut()).as("told and left out").isEqualTo(many);
        }
    }

    @Test
    void ofOneLockOnlyIsTold() throws Exception {
        http.get("/v1/events?lock=a&prefix=b").isProblem(400, "bad-request");
        try (Reader reader = new Reader(server.uri(), "?lock=a", null)) {
            http.acquire("{'lock':'ab'}").is(201);
            http.acquire("{'lock':'a'}").is(201);

            reader.awaitEvents("granted");
            reader.awaitLineWith("\"lock\":\"a\"");
        }
    }

    @Test
    void aReaderWhoDoesNotReadIsDropped() throws Exception {
        Reply lease =
                http.acquire("{'lock':'" + "n".repeat(1_000) + "','ttl':'1h'}").is(201);
        try (Socket slow = new Socket(server)) {
            slow.write("GET /v1/events?types=extended HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(slow.readSome()).startsWith("HTTP/1.1 200");
            String path = "/v1/leases/" + lease.text("id") + "/extend";
            CompletableFuture<?> last = CompletableFuture.completedFuture(null);
            int many = EventStream.MOST_BEHIND + 4_000; // more than the system's buffers take
            for (int i = 0; i < many; i++) {
                last = http.postAsync(path, "");
                if (i % 50 == 0) {
                    last.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
            }
            last.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS);

            long read = 0;
            try {
                for (String some = slow.readSome(); !some.isEmpty(); some = slow.readSome()) {
                    read += some.length();
                }
            } catch (SocketException reset) {
                // which is an end too
            }
            assertThat(read).isLessThan(many * 1_000L);
        }
        http.get("/healthz").is(200);
    }

    @Test
    void aNodeThatGoesAndComesBackIsTold() throws Exception {
        FlickeringNode node = new FlickeringNode();
        try (LockServer other = LockServer.builder()
                .port(0)
                .client(dev.holdfast.Holdfast.builder()
                        .nodeOptions(NodeOptions.defaults())
                        .node(node::open))
                .start()) {
            try (Reader reader = new Reader(other.uri(), "", null)) {
                Awaitility.await().atMost(Http.PATIENCE).until(() -> node.asked() > 0);
                node.up(false);
                reader.awaitEvents("node-down");
                new Http(other).get("/readyz").isProblem(503, "no-quorum");
                node.up(true);
                reader.awaitEvents("node-down", "node-up");
            }
        }
    }

    /** The server never told of the quarantine that follows a failure, so the timeline drew it as a failure. */
    @Test
    void aQuarantineAfterAFailureIsTold() throws Exception {
        SwitchedNodes nodes = new SwitchedNodes();
        try (LockServer other =
                        LockServer.builder().port(0).client(nodes.client(1)).start();
                Reader reader = new Reader(other.uri(), "", null)) {
            Http there = new Http(other);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> !there.get("/v1/overview").json().get("nodes").isEmpty());
            nodes.set(0, NodeStatus.State.DOWN, 0);
            reader.awaitEvents("node-down");
            nodes.set(0, NodeStatus.State.QUARANTINED, 60_000);
            reader.awaitEvents("node-down", "node-down");
            assertThat(there.get("/v1/history?lock=a").json().get("incidents"))
                    .extracting(incident -> incident.path("state").asString(""))
                    .containsSubsequence("down", "quarantined");
            nodes.set(0, NodeStatus.State.UP, 0);
            reader.awaitEvents("node-down", "node-down", "node-up");
        }
    }

    @Test
    void aTokenIsToldOfItsOwnOnly() {
        String secret = "secret-of-the-reader-0123";
        try (LockServer guarded = LockServer.builder()
                .port(0)
                .tokens(List.of(new AccessToken("a", secret, List.of("orders:"), Set.of(Right.READ))))
                .start()) {
            new Http(guarded).with(secret).get("/v1/events").isProblem(403, "forbidden");
            new Http(guarded).with(secret).get("/v1/events?prefix=ord").isProblem(403, "forbidden");
            new Http(guarded).with(secret).get("/v1/events?lock=bills:1").isProblem(403, "forbidden");
        }
    }

    @Test
    void aServerWithReadersStopsAtOnce() throws Exception {
        try (Reader reader = new Reader(server.uri(), "", null)) {
            long start = System.nanoTime();

            server.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(reader.events()).isEmpty();
        }
    }
}
