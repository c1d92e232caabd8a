package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LockServerBuilder;
import dev.holdfast.server.Right;
import dev.holdfast.server.socket.SocketWriter;
import dev.holdfast.testkit.Effort;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("slow")
class SessionTest {

    /** Where its end is waited for; elsewhere it is longer, since on a busy machine a session is silent now and then. */
    private static final Duration SHORT_GRACE = Duration.ofSeconds(4);

    private LockServer server;
    private Http http;

    @BeforeEach
    void start() {
        start(LockServerBuilder.DEFAULT_SESSION_GRACE);
    }

    private void start(Duration grace) {
        server = LockServer.builder().port(0).sessionGrace(grace).start();
        http = new Http(server);
    }

    private void startAnewWithAShortGrace() {
        server.close();
        start(SHORT_GRACE);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void awaitWaiting(int count) {
        await().atMost(Http.PATIENCE).until(() -> server.waiting() == count);
    }

    private boolean isHeld(String lock) {
        return http.get("/v1/status?lock=" + lock).json().get("holders").size() == 1;
    }

    @Test
    void itsConnectionLastsAsLongAsASessionThatIsSilentThoughOthersAreClosedBefore() {
        server.close();
        Duration idle = Duration.ofMillis(300);
        server = LockServer.builder()
                .port(0)
                .idleTimeout(idle)
                .sessionGrace(Duration.ofMinutes(1))
                .start();
        http = new Http(server);
        try (SessionClient stranger = SessionClient.connect(server);
                SessionClient client = SessionClient.open(server)) {
            client.acquire("'lock':'a'");

            await().during(idle.multipliedBy(5)).atMost(Http.PATIENCE).until(() -> !client.isClosed());

            assertThat(client.ask("alive", "").get("answer").stringValue()).isEqualTo("alive");
            assertThat(isHeld("a")).isTrue();
            await().atMost(Http.PATIENCE).until(stranger::isClosed);
        }
    }

    // ---- locks

    @Test
    void aLockGoesFromSessionToSession() {
        try (SessionClient one = SessionClient.open(server);
                SessionClient other = SessionClient.open(server)) {
            JsonNode held = one.acquire("'lock':'a','value':'from one'");
            CompletableFuture<JsonNode> waiting = other.askAsync("acquire", "'lock':'a','wait':'25s'");
            await().atMost(Http.PATIENCE).until(() -> one.wasTold("contended"));
            assertThat(waiting).isNotDone();

            JsonNode released = one.ask("release", "'lease':'" + held.get("id").stringValue() + "'");

            assertThat(released.get("answer").stringValue()).isEqualTo("released");
            JsonNode next = SessionClient.granted(SessionClient.in(Http.PATIENCE, waiting));
            assertThat(next.get("token").longValue())
                    .isGreaterThan(held.get("token").longValue());
            assertThat(next.get("value").stringValue()).isEqualTo("from one");
        }
    }

    @Test
    void theServerExtendsWhatASessionHolds() {
        try (SessionClient client = SessionClient.open(server)) {
            client.acquire("'lock':'a','ttl':'4s'");
            long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            await().atMost(Http.PATIENCE).until(() -> {
                assertThat(client.ask("alive", "").get("validMillis").longValue())
                        .isBetween(1L, 4_000L);
                assertThat(isHeld("a")).isTrue();
                return System.nanoTime() - until > 0;
            });
            assertThat(client.wasTold("lost")).isFalse();
        }
    }

    /** Told as what clients extend by themselves: in events, and in the past of the lock, up to its end and not beyond. */
    @Test
    void whatTheServerExtendsIsSeen() {
        try (SessionClient client = SessionClient.open(server)) {
            JsonNode lease = client.acquire("'lock':'a','ttl':'3s'");
            await().atMost(Http.PATIENCE).until(() -> {
                client.ask("alive", "");
                return typesOf("a").stream().filter("extended"::equals).count() >= 3;
            });
            client.ask("release", "'lease':'" + lease.get("id").stringValue() + "'");
            List<String> types = typesOf("a");

            assertThat(types).startsWith("granted").endsWith("released");
            assertThat(types.subList(1, types.size() - 1)).containsOnly("extended");
            http.get("/v1/history?lock=a").json().get("events").forEach(event -> {
                assertThat(event.get("token")).isEqualTo(lease.get("token"));
                assertThat(event.has("id")).isFalse();
            });
        }
    }

    private List<String> typesOf(String lock) {
        List<String> types = new ArrayList<>();
        http.get("/v1/history?lock=" + lock)
                .json()
                .get("events")
                .forEach(event -> types.add(event.get("type").stringValue()));
        return types;
    }

    @Test
    void aClientIsToldNoMoreThanItsGrace() {
        long grace = LockServerBuilder.DEFAULT_SESSION_GRACE.toMillis();
        try (SessionClient client = SessionClient.open(server)) {
            JsonNode lease = client.acquire("'lock':'a','ttl':'1h'");

            assertThat(lease.get("remainingMillis").longValue()).isEqualTo(grace);
            assertThat(client.ask("alive", "").get("validMillis").longValue()).isEqualTo(grace);
            assertThat(http.get("/v1/leases/" + lease.get("id").stringValue()).number("remainingMillis"))
                    .isEqualTo(grace);
        }
    }

    @Test
    void aBrokenLeaseIsTold() {
        try (SessionClient client = SessionClient.open(server)) {
            JsonNode lease = client.acquire("'lock':'a','ttl':'3s'");
            http.post("/v1/break", "{'lock':'a','token':" + lease.get("token") + ",'reason':'test'}")
                    .is(200);

            await().atMost(Http.PATIENCE).until(() -> {
                client.ask("alive", "");
                return client.wasTold("lost");
            });
            assertThat(SessionClient.problem(
                            client.ask("release", "'lease':'" + lease.get("id").stringValue() + "'")))
                    .isEqualTo("lease-ended");
        }
    }

    @Test
    void valuesAndSeals() {
        try (SessionClient client = SessionClient.open(server)) {
            String id = client.acquire("'lock':'a'").get("id").stringValue();
            assertThat(client.ask("value", "'lease':'" + id + "','value':'v'")
                            .get("answer")
                            .stringValue())
                    .isEqualTo("written");
            assertThat(client.ask("seal", "'lease':'" + id + "','retention':'1h'")
                            .get("answer")
                            .stringValue())
                    .isEqualTo("sealed");
            assertThat(SessionClient.problem(client.ask("acquire", "'lock':'a'")))
                    .isEqualTo("sealed");
        }
    }

    @Test
    void whoWaitsMayThinkBetterOfIt() {
        try (SessionClient holder = SessionClient.open(server);
                SessionClient client = SessionClient.open(server)) {
            holder.acquire("'lock':'a'");
            CompletableFuture<JsonNode> waiting = client.askAsync("acquire", "'lock':'a','wait':'25s'");
            long request = client.lastId();
            awaitWaiting(1);

            JsonNode cancelled = client.ask("cancel", "'request':" + request);

            assertThat(cancelled.get("wasWaiting").booleanValue()).isTrue();
            assertThat(SessionClient.in(Http.PATIENCE, waiting).get("answer").stringValue())
                    .isEqualTo("cancelled");
            awaitWaiting(0);
            assertThat(client.ask("cancel", "'request':" + request)
                            .get("wasWaiting")
                            .booleanValue())
                    .isFalse();
        }
    }

    // ---- being there

    @Test
    void whoComesBackWithinTheGraceKeepsItsLeases() {
        SessionClient first = SessionClient.connect(server);
        String session = first.ask("hello", "").get("session").stringValue();
        JsonNode lease = first.acquire("'lock':'a'");
        first.abort();

        try (SessionClient again = SessionClient.connect(server)) {
            JsonNode hello = again.ask("hello", "'session':'" + session + "'");
            assertThat(hello.get("leases")).hasSize(1);
            assertThat(hello.get("leases").get(0).get("token")).isEqualTo(lease.get("token"));
            assertThat(again.ask("release", "'lease':'" + lease.get("id").stringValue() + "'")
                            .get("answer")
                            .stringValue())
                    .isEqualTo("released");
        }
    }

    @Test
    void whoDoesNotComeBackLosesThemWhenTheGraceIsOverAndNotBefore() {
        startAnewWithAShortGrace();
        SessionClient first = SessionClient.connect(server);
        String session = first.ask("hello", "").get("session").stringValue();
        first.acquire("'lock':'a','ttl':'1h'");
        long sent = System.nanoTime();
        first.ask("alive", "");
        first.abort();

        assertThat(http.acquire("{'lock':'a','wait':'25s'}").is(201).number("token"))
                .isPositive();
        assertThat(System.nanoTime() - sent).isGreaterThan(SHORT_GRACE.toNanos());
        try (SessionClient late = SessionClient.connect(server)) {
            assertThat(SessionClient.problem(late.ask("hello", "'session':'" + session + "'")))
                    .isEqualTo("not-found");
        }
    }

    @Test
    void whoIsConnectedButSilentLosesThemToo() {
        startAnewWithAShortGrace();
        try (SessionClient silent = SessionClient.open(server)) {
            silent.acquire("'lock':'a','ttl':'1h'");

            http.acquire("{'lock':'a','wait':'25s'}").is(201);
            assertThat(silent.closedWith()).isEqualTo(SocketWriter.NORMAL);
        }
    }

    @Test
    void whoDisconnectsWhileItWaitsLeavesTheLine() {
        try (SessionClient holder = SessionClient.open(server)) {
            JsonNode lease = holder.acquire("'lock':'a'");
            SessionClient waiter = SessionClient.open(server);
            waiter.askAsync("acquire", "'lock':'a','wait':'25s'");
            awaitWaiting(1);

            waiter.abort();

            awaitWaiting(0);
            holder.ask("release", "'lease':'" + lease.get("id").stringValue() + "'");
            assertThat(isHeld("a")).isFalse();
        }
    }

    @Test
    void goodbyeGivesEverythingBackAtOnce() {
        SessionClient client = SessionClient.open(server);
        client.acquire("'lock':'a'");
        client.acquire("'lock':'b'");

        client.ask("bye", "");

        assertThat(isHeld("a")).isFalse();
        assertThat(isHeld("b")).isFalse();
        assertThat(client.closedWith()).isEqualTo(SocketWriter.NORMAL);
        assertThat(server.leases()).isZero();
    }

    @Test
    void anotherConnectionTakesASessionOver() {
        SessionClient first = SessionClient.connect(server);
        String session = first.ask("hello", "").get("session").stringValue();
        try (SessionClient second = SessionClient.connect(server);
                SessionClient other = SessionClient.open(server)) {
            second.ask("hello", "'session':'" + session + "'");

            assertThat(first.closedWith()).isEqualTo(SocketWriter.POLICY);
            second.acquire("'lock':'a'");
            other.askAsync("acquire", "'lock':'a','wait':'25s'");
            await().atMost(Http.PATIENCE).until(() -> second.wasTold("contended"));
        }
    }

    @Test
    void aServerThatStopsTellsItsSessionsAndLeavesWhatTheyHold() throws Exception {
        String node = "memory:sessions-outlast";
        try (LockServer stopping = LockServer.builder().port(0).nodes(node).start();
                LockServer other = LockServer.builder().port(0).nodes(node).start();
                SessionClient client = SessionClient.open(stopping)) {
            JsonNode lease = client.acquire("'lock':'a','ttl':'20s'");
            assertThat(stopping.stop(Duration.ofMillis(100))).isFalse();

            await().atMost(Http.PATIENCE).until(() -> client.wasTold("stopping"));
            assertThat(client.closedWith()).isEqualTo(SocketWriter.GOING_AWAY);
            JsonNode status = new Http(other).get("/v1/status?lock=a").json();
            assertThat(status.get("holders").get(0).get("token")).isEqualTo(lease.get("token"));
        }
    }

    // ---- many

    /** Every lock passes from client to client in the order of their requests, and no client is left out. */
    @Test
    void tenSessionsOnEachOfManyLocks() {
        int locks = Integer.getInteger("holdfast.session.locks", Effort.of(30, 100));
        int each = 10;
        List<SessionClient> clients = new ArrayList<>();
        try (LockServer patient = LockServer.builder()
                .port(0)
                .sessionGrace(Duration.ofMinutes(2))
                .limits(Limits.defaults().withRequestsPerSecond(1_000_000))
                .start()) {
            List<List<CompletableFuture<JsonNode>>> lines = new ArrayList<>();
            for (int place = 0; place < each; place++) {
                List<CompletableFuture<JsonNode>> askedNow = new ArrayList<>();
                lines.add(askedNow);
                for (int lock = 0; lock < locks; lock++) {
                    SessionClient client = SessionClient.open(patient);
                    clients.add(client);
                    askedNow.add(client.askAsync("acquire", "'lock':'many:" + lock + "','ttl':'1m','wait':'5m'"));
                }
                int askedFor = locks * (place + 1);
                await().atMost(Http.PATIENCE).until(() -> patient.leases() + patient.waiting() == askedFor);
                keepConnected(clients);
            }
            for (int place = 0; place < each; place++) {
                for (int lock = 0; lock < locks; lock++) {
                    SessionClient.granted(SessionClient.in(
                            Http.PATIENCE, lines.get(place).get(lock).copy()));
                    for (int behind = place + 1; behind < each; behind++) {
                        assertThat(lines.get(behind).get(lock)).isNotDone();
                    }
                    clients.get(place * locks + lock).askAsync("bye", "");
                }
                keepConnected(clients.subList((place + 1) * locks, clients.size()));
            }
            await().atMost(Http.PATIENCE).until(() -> patient.leases() == 0);
        } finally {
            clients.forEach(SessionClient::close);
        }
    }

    /** The server closes connections without messages after a while. */
    private static void keepConnected(List<SessionClient> clients) {
        clients.forEach(client -> client.askAsync("alive", ""));
    }

    // ---- hostile

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[]", "{}", "{\"op\":\"hello\"}", "{\"id\":-1,\"op\":\"hello\"}"})
    void whatIsNoMessageEndsTheConnection(String text) {
        try (SessionClient client = SessionClient.connect(server)) {
            client.send(text.isEmpty() ? "\n" : text);
            assertThat(client.closedWith()).isEqualTo(SocketWriter.PROTOCOL);
        }
    }

    /** A newer client may send more than this server knows. */
    @Test
    void whatIsNotKnownIsAnsweredAndTheSessionGoesOn() {
        try (SessionClient client = SessionClient.open(server)) {
            client.send("{\"id\":1000}");
            client.send("{\"id\":1001,\"op\":{}}");
            JsonNode operation = client.ask("teleport", "'where':{'deep':[[[[[[['x']]]]]]]}");
            JsonNode field = client.ask("alive", "'mood':'good'");

            assertThat(operation.get("problem").get("detail").stringValue())
                    .contains("'teleport'", "hello, acquire, cancel");
            assertThat(field.get("problem").get("detail").stringValue()).contains("'mood'");
            assertThat(client.told())
                    .hasSize(2)
                    .allMatch(told -> SessionClient.problem(told).equals("bad-request"));
            client.acquire("'lock':'goes:on'");
        }
    }

    @Test
    void aLabelIsShownWithTheLock() {
        try (SessionClient client = SessionClient.open(server)) {
            client.acquire("'lock':'labelled','label':'invoice run'");

            assertThat(new Http(server)
                            .get("/v1/status?lock=labelled")
                            .json()
                            .get("holders")
                            .get(0)
                            .get("label")
                            .stringValue())
                    .isEqualTo("invoice run");
        }
    }

    @Test
    void ofTwoMessagesWithOneIdTheSecondIsRefused() {
        try (SessionClient holder = SessionClient.open(server);
                SessionClient client = SessionClient.open(server)) {
            JsonNode held = holder.acquire("'lock':'twice'");
            String acquire = "{\"id\":77,\"op\":\"acquire\",\"lock\":\"twice\",\"wait\":\"20s\"}";
            client.send(acquire);
            client.send("{\"id\":77,\"op\":\"alive\"}");

            await().atMost(Http.PATIENCE).until(() -> client.told().size() == 1);
            assertThat(SessionClient.problem(client.told().get(0))).isEqualTo("bad-request");
            assertThat(client.told().get(0).get("id").longValue()).isEqualTo(77);

            holder.ask("release", "'lease':'" + held.get("id").stringValue() + "'");
            await().atMost(Http.PATIENCE).until(() -> client.told().size() == 2);
            SessionClient.granted(client.told().get(1));
            client.send("{\"id\":77,\"op\":\"alive\"}"); // answered, so the id is free again
            await().atMost(Http.PATIENCE).until(() -> client.told().size() == 3);
            assertThat(client.told().get(2).get("answer").stringValue()).isEqualTo("alive");
        }
    }

    @Test
    void wrongRequestsAreRefusedByTheirFields() {
        try (SessionClient client = SessionClient.connect(server)) {
            assertThat(SessionClient.problem(client.ask("acquire", "'lock':'a'")))
                    .isEqualTo("bad-request");
            client.ask("hello", "");
            JsonNode unknown = client.ask("acquire", "'lock':'a','session':'x'");
            assertThat(unknown.get("problem").get("detail").stringValue()).contains("'session' is not known");
            for (String wrong : List.of(
                    "'lock':''",
                    "'lock':'a','ttl':'1x'",
                    "'lock':'a','wait':'2h'",
                    "'lock':'a','mode':'XX'",
                    "'lock':7")) {
                assertThat(SessionClient.problem(client.ask("acquire", wrong)))
                        .as(wrong)
                        .isEqualTo("bad-request");
            }
            assertThat(SessionClient.problem(client.ask("steal", ""))).isEqualTo("bad-request");
            assertThat(SessionClient.problem(client.ask("release", "'lease':'x'")))
                    .isEqualTo("lease-ended");
            client.acquire("'lock':'a'");
        }
    }

    @Test
    void framesWithoutEndAndBinaryOnesEndTheConnection() {
        for (int length : new int[] {1, 2, 2_000}) {
            try (SessionClient client = SessionClient.connect(server)) {
                client.socket().sendBinary(ByteBuffer.wrap(new byte[length]), true);
                assertThat(client.closedWith()).isEqualTo(1003);
            }
        }
        try (SessionClient client = SessionClient.connect(server)) {
            String part = "x".repeat(16_384);
            CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
            for (int i = 0; i < 1_000; i++) {
                sent = sent.thenCompose(done -> client.socket().sendText(part, false));
            }
            assertThat(client.closedWith()).isIn(1009, -1);
        }
    }

    @Test
    void onlyWebSocketsAndOnlyFromHere() {
        http.get("/v1/session").isProblem(426, "upgrade-required");
        http.get("/v1/node").isProblem(426, "upgrade-required");
        for (String path : List.of("/v1/session", "/v1/node")) {
            assertThatThrownBy(() -> SessionClient.connect(server, path, Map.of("Origin", "http://evil.example")))
                    .hasCauseInstanceOf(WebSocketHandshakeException.class)
                    .satisfies(thrown -> assertThat(((WebSocketHandshakeException) thrown.getCause())
                                    .getResponse()
                                    .statusCode())
                            .isEqualTo(403));
        }
    }

    /** Answers wait for it in memory until they are too many. */
    @Test
    void whoDoesNotReadIsDropped() {
        try (LockServer busy = LockServer.builder()
                        .port(0)
                        .limits(Limits.defaults().withRequestsPerSecond(1_000_000))
                        .start();
                SessionClient client = SessionClient.open(busy)) {
            client.goesDeaf();
            String many = ("{'id':7,'op':'alive'}\n".replace('\'', '"')).repeat(5_000);
            CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
            for (int i = 0; i < 500; i++) {
                sent = sent.thenCompose(done -> client.socket().sendText(many, true));
            }
            CompletableFuture<?> all = sent;
            await().atMost(Http.PATIENCE).until(all::isCompletedExceptionally);
            new Http(busy).acquire("{'lock':'others are not disturbed'}").is(201);
        }
    }

    @Test
    void aClientHasSoManySessions() {
        try (LockServer small = LockServer.builder()
                        .port(0)
                        .limits(Limits.defaults().withSessions(2))
                        .start();
                SessionClient one = SessionClient.open(small);
                SessionClient two = SessionClient.open(small);
                SessionClient three = SessionClient.connect(small)) {
            assertThat(SessionClient.problem(three.ask("hello", ""))).isEqualTo("too-many");
            one.ask("bye", "");
            assertThat(three.ask("hello", "").get("answer").stringValue()).isEqualTo("hello");
            two.ask("alive", "");
        }
    }

    @Test
    void aSessionBelongsToItsToken() {
        String secretOne = "one-one-one-one-one-one";
        String secretTwo = "two-two-two-two-two-two";
        try (LockServer guarded = LockServer.builder()
                .port(0)
                .tokens(List.of(
                        new AccessToken("one", secretOne, List.of("a"), Set.of(Right.ACQUIRE)),
                        new AccessToken("two", secretTwo, List.of(""), Set.of(Right.ACQUIRE)),
                        new AccessToken("reader", "reader-reader-reader-r", List.of(""), Set.of(Right.READ))))
                .start()) {
            for (Map<String, String> headers : List.of(
                    Map.<String, String>of(),
                    Map.of("Authorization", "Bearer wrong-wrong-wrong-wrong"),
                    Map.of("Authorization", "Bearer reader-reader-reader-r"))) {
                assertThatThrownBy(() -> SessionClient.connect(guarded, "/v1/session", headers))
                        .satisfies(thrown -> assertThat(((WebSocketHandshakeException) thrown.getCause())
                                        .getResponse()
                                        .statusCode())
                                .isIn(401, 403));
            }
            try (SessionClient one = SessionClient.connect(
                            guarded, "/v1/session", Map.of("Authorization", "Bearer " + secretOne));
                    SessionClient two = SessionClient.connect(
                            guarded, "/v1/session", Map.of("Authorization", "Bearer " + secretTwo))) {
                String session = one.ask("hello", "").get("session").stringValue();
                one.acquire("'lock':'a'");
                assertThat(SessionClient.problem(one.ask("acquire", "'lock':'b'")))
                        .isEqualTo("forbidden");
                assertThat(SessionClient.problem(two.ask("hello", "'session':'" + session + "'")))
                        .isEqualTo("not-found");
            }
        }
    }

    /** The client can rely on its leases, although it cannot reconnect. */
    @Test
    void aTokenThatIsTakenAwayEndsItsConnectionsAndItsSessionWithTheGrace() {
        AccessToken one = new AccessToken("one", "one-one-one-one-one-one", List.of(""), Set.of(Right.ACQUIRE));
        AccessToken two =
                new AccessToken("two", "two-two-two-two-two-two", List.of(""), Set.of(Right.ACQUIRE, Right.READ));
        AtomicReference<List<AccessToken>> tokens = new AtomicReference<>(List.of(one, two));
        Map<String, String> headers = Map.of("Authorization", "Bearer one-one-one-one-one-one");
        try (LockServer guarded = LockServer.builder()
                        .port(0)
                        .sessionGrace(SHORT_GRACE)
                        .tokens(tokens::get)
                        .start();
                SessionClient client = SessionClient.connect(guarded, "/v1/session", headers);
                SessionClient node = SessionClient.connect(guarded, "/v1/node", headers)) {
            client.ask("hello", "");
            node.ask("hello", "'protocol':1,'client':'a~a1b2c3d4'");
            client.acquire("'lock':'a','ttl':'1h'");
            long heard = System.nanoTime();
            client.ask("alive", "");
            tokens.set(List.of(two));
            guarded.reload();

            assertThat(client.closedWith()).isEqualTo(SocketWriter.POLICY);
            assertThat(node.closedWith()).isEqualTo(SocketWriter.POLICY);
            new Http(guarded)
                    .with("two-two-two-two-two-two")
                    .acquire("{'lock':'a','wait':'25s'}")
                    .is(201);
            assertThat(System.nanoTime() - heard).isGreaterThan(SHORT_GRACE.toNanos());
        }
    }

    /** A client could keep such a connection, and go on to acquire locks after its token was removed. */
    @Test
    void aTokenThatIsTakenAwayEndsConnectionsThatHaveSaidNothingOrAreReplaced() {
        AccessToken one = new AccessToken("one", "one-one-one-one-one-one", List.of(""), Set.of(Right.ACQUIRE));
        AccessToken two = new AccessToken("two", "two-two-two-two-two-two", List.of(""), Set.of(Right.ACQUIRE));
        AtomicReference<List<AccessToken>> tokens = new AtomicReference<>(List.of(one, two));
        Map<String, String> headers = Map.of("Authorization", "Bearer one-one-one-one-one-one");
        try (LockServer guarded =
                        LockServer.builder().port(0).tokens(tokens::get).start();
                SessionClient silent = SessionClient.connect(guarded, "/v1/session", headers);
                SessionClient silentNode = SessionClient.connect(guarded, "/v1/node", headers);
                SessionClient replaced = SessionClient.connect(guarded, "/v1/node", headers);
                SessionClient node = SessionClient.connect(guarded, "/v1/node", headers)) {
            replaced.ask("hello", "'protocol':1,'client':'a~a1b2c3d4'");
            node.ask("hello", "'protocol':1,'client':'a~a1b2c3d4'");
            tokens.set(List.of(two));
            guarded.reload();

            assertThat(List.of(silent, silentNode, replaced, node))
                    .allSatisfy(client -> assertThat(client.closedWith()).isEqualTo(SocketWriter.POLICY));
        }
    }

    /** A thief of the secret could otherwise stay connected after it was replaced. The client itself connects again with the new one. */
    @Test
    void aSecretThatIsReplacedEndsItsConnections() {
        String old = "one-one-one-one-one-one";
        String fresh = "new-new-new-new-new-new";
        AtomicReference<String> secret = new AtomicReference<>(old);
        try (LockServer guarded = LockServer.builder()
                        .port(0)
                        .tokens(() -> List.of(new AccessToken("one", secret.get(), List.of(""), Set.of(Right.ACQUIRE))))
                        .start();
                SessionClient client =
                        SessionClient.connect(guarded, "/v1/session", Map.of("Authorization", "Bearer " + old))) {
            String session = client.ask("hello", "").get("session").stringValue();
            secret.set(fresh);
            guarded.reload();

            assertThat(client.closedWith()).isEqualTo(SocketWriter.POLICY);
            try (SessionClient again =
                    SessionClient.connect(guarded, "/v1/session", Map.of("Authorization", "Bearer " + fresh))) {
                assertThat(again.ask("hello", "'session':'" + session + "'")
                                .get("session")
                                .stringValue())
                        .isEqualTo(session);
            }
        }
    }

    /** Such a request could be granted later, and hold the lock for its ttl. */
    @Test
    void aTokenThatIsTakenAwayEndsItsWaits() throws Exception {
        AccessToken one = new AccessToken("one", "one-one-one-one-one-one", List.of(""), Set.of(Right.ACQUIRE));
        AccessToken two = new AccessToken("two", "two-two-two-two-two-two", List.of(""), Set.of(Right.ACQUIRE));
        AtomicReference<List<AccessToken>> tokens = new AtomicReference<>(List.of(one, two));
        Map<String, String> headers = Map.of("Authorization", "Bearer one-one-one-one-one-one");
        try (LockServer guarded =
                        LockServer.builder().port(0).tokens(tokens::get).start();
                SessionClient session = SessionClient.connect(guarded, "/v1/session", headers)) {
            Http staying = new Http(guarded).with("two-two-two-two-two-two");
            Http.Reply held = staying.acquire("{'lock':'a'}").is(201);
            session.ask("hello", "");
            CompletableFuture<JsonNode> asked = session.askAsync("acquire", "'lock':'a','ttl':'1h','wait':'1h'");
            CompletableFuture<Http.Reply> waits = new Http(guarded)
                    .with("one-one-one-one-one-one")
                    .postAsync("/v1/leases", "{'lock':'a','ttl':'1h','wait':'1h'}");
            await().atMost(Http.PATIENCE).until(() -> guarded.waiting() == 2);
            assertThat(asked).isNotDone();
            tokens.set(List.of(two));
            guarded.reload();

            waits.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).isProblem(401, "unauthorized");
            await().atMost(Http.PATIENCE).until(() -> guarded.waiting() == 0);
            staying.release(held).is(200);
            staying.acquire("{'lock':'a'}").is(201);
        }
    }

    @Test
    void anEmptyMessageEndsTheConnection() {
        try (SessionClient client = SessionClient.connect(server)) {
            client.ask("hello", "");
            client.send("");
            assertThat(client.closedWith()).isEqualTo(SocketWriter.PROTOCOL);
        }
    }

    /** Parts do not count as requests. */
    @Test
    void aMessageHasALimitOfParts() {
        try (SessionClient client = SessionClient.connect(server);
                SessionClient endless = SessionClient.connect(server)) {
            String hello = "{'id':1,'op':'hello'}".replace('\'', '"');
            for (int i = 0; i < hello.length(); i++) {
                client.sendPart(hello.substring(i, i + 1), false);
            }
            client.sendPart("", true);
            client.ask("alive", "");
            for (int i = 0;
                    i <= 4_096;
                    i++) { // the last one that the server reads: unread ones would reset the connection
                endless.sendPart("", false);
            }
            assertThat(endless.closedWith()).isEqualTo(SocketWriter.POLICY);
        }
    }
}
