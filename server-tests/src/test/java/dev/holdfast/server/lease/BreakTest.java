package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LogRecorder;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.server.session.SessionClient;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A lease that an operator breaks is broken at once for every client, at each server in front of the same nodes. */
class BreakTest {

    private static final String NODE = "memory:breaks";

    private LockServer one;
    private LockServer other;
    private Http http;

    @BeforeEach
    void start() {
        one = LockServer.builder().port(0).nodes(NODE).start();
        other = LockServer.builder().port(0).nodes(NODE).start();
        http = new Http(one);
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    private static void breakAt(LockServer server, Reply lease) {
        breakAt(server, lease.text("lock"), lease.json().get("token").longValue());
    }

    private static void breakAt(LockServer server, String lock, long token) {
        new Http(server)
                .post("/v1/break", "{'lock':'" + lock + "','token':" + token + ",'reason':'it hangs'}")
                .is(200);
    }

    private static List<JsonNode> broken(LockServer server, String lock) {
        JsonNode events = new Http(server)
                .get("/v1/history?lock=" + Http.encoded(lock))
                .is(200)
                .json()
                .get("events");
        return StreamSupport.stream(events.spliterator(), false)
                .filter(event -> event.get("type").stringValue().equals("broken"))
                .toList();
    }

    @Test
    void theServerThatBreaksALeaseKnowsAtOnce() {
        Reply lease = http.acquire("{'lock':'orders:1','ttl':'10m'}").is(201);

        breakAt(one, lease);

        Reply gone = http.get("/v1/leases/" + lease.text("id")).isProblem(410, "lease-ended");
        assertThat(gone.text("detail")).endsWith("was broken by '127.0.0.1': it hangs.");
        for (String request : List.of("extend", "release", "seal", "value")) {
            Reply refused = http.post(
                            "/v1/leases/" + lease.text("id") + "/" + request,
                            switch (request) {
                                case "seal" -> "{'retention':'1m'}";
                                case "value" -> "{'value':'x'}";
                                default -> "{}";
                            })
                    .isProblem(410, "lease-ended");
            assertThat(refused.text("detail")).as(request).endsWith("was broken by '127.0.0.1': it hangs.");
        }
        assertThat(one.leases()).isZero();
        assertThat(broken(one, "orders:1")).singleElement().satisfies(event -> {
            assertThat(event.get("operator").stringValue()).isEqualTo("127.0.0.1");
            assertThat(event.get("reason").stringValue()).isEqualTo("it hangs");
            assertThat(event.get("token")).isEqualTo(lease.json().get("token"));
        });
        assertThat(http.get("/metrics").response().body())
                .contains("holdfast_server_events_total{type=\"broken\"} 1.0");
    }

    @Test
    void theServerThatGrantedItKnowsSoonAndOnceIfAnotherOneBreaksIt() {
        Reply lease = http.acquire("{'lock':'orders:2','ttl':'10m'}").is(201);
        await().atMost(Http.PATIENCE).until(() -> http.get("/readyz").response().statusCode() == 200);
        try (LogRecorder log = new LogRecorder(ServerLogger.NAME)) {
            breakAt(other, lease);

            await().atMost(Http.PATIENCE)
                    .until(() -> http.get("/v1/leases/" + lease.text("id"))
                                    .response()
                                    .statusCode()
                            == 410);
            await("the notice")
                    .atMost(Http.PATIENCE)
                    .until(() -> !broken(one, "orders:2").isEmpty());
            assertThat(log.lines()).anyMatch(line -> line.contains("it hangs") && line.contains("orders:2"));
        }
        for (LockServer server : List.of(one, other)) {
            assertThat(new Http(server)
                            .post("/v1/leases/" + lease.text("id") + "/release", "{}")
                            .isProblem(410, "lease-ended")
                            .text("detail"))
                    .endsWith("was broken by '127.0.0.1': it hangs.");
        }
        breakAt(other, http.acquire("{'lock':'orders:2'}").is(201));
        await().atMost(Http.PATIENCE).until(() -> broken(one, "orders:2").size() == 2);
        assertThat(broken(other, "orders:2")).hasSize(2);
        assertThat(one.leases()).isZero();
    }

    @Test
    void theNextOperatorReadsThatTheLeaseWasBroken() {
        Reply lease = http.acquire("{'lock':'orders:5','ttl':'10m'}").is(201);
        breakAt(other, lease);
        await("the notice")
                .atMost(Http.PATIENCE)
                .until(() -> !broken(one, "orders:5").isEmpty());

        String again = "{'lock':'orders:5','token':" + lease.json().get("token") + ",'reason':'again'}";

        assertThat(http.post("/v1/break", again).isProblem(404, "not-found").text("detail"))
                .endsWith(" was found; it was broken by '127.0.0.1': it hangs.");
    }

    /** The next reading of the notices comes up to 250 ms later, so the request must cause one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        extend  | {}
        release | {}
        seal    | {'retention':'1m'}
        value   | {'value':'x'}
        """)
    void theFirstRequestAfterABreakAtAnotherServerNamesTheBreak(String request, String body) {
        for (int i = 0; i < 5; i++) {
            Reply lease = http.acquire("{'lock':'orders:4','ttl':'10m'}").is(201);
            String path = "/v1/leases/" + lease.text("id");

            breakAt(other, lease);

            for (String again : List.of("first", "again")) {
                Reply refused = http.post(path + "/" + request, body).isProblem(410, "lease-ended");
                assertThat(refused.text("detail")).as(again).endsWith("was broken by '127.0.0.1': it hangs.");
            }
            assertThat(http.get(path).isProblem(410, "lease-ended").text("detail"))
                    .endsWith("was broken by '127.0.0.1': it hangs.");
        }
    }

    @Test
    void aSessionIsToldAtOnce() {
        try (SessionClient client = SessionClient.open(one)) {
            JsonNode lease = client.acquire("'lock':'orders:3','ttl':'10m'");

            breakAt(other, "orders:3", lease.get("token").longValue());

            await().atMost(Http.PATIENCE).until(() -> client.wasTold("lost"));
            assertThat(client.told()).anySatisfy(event -> {
                assertThat(event.path("reason").asString("")).isEqualTo("broken");
                assertThat(event.path("operator").asString("")).isEqualTo("127.0.0.1");
                assertThat(event.path("detail").asString("")).isEqualTo("it hangs");
            });
            JsonNode refused =
                    client.ask("release", "'lease':'" + lease.get("id").stringValue() + "'");
            assertThat(refused.get("problem").get("status").intValue()).isEqualTo(410);
            assertThat(refused.get("problem").get("detail").stringValue())
                    .endsWith("was broken by '127.0.0.1': it hangs.");
        }
    }

    /** An operator's script breaks leases faster than servers read the notices, whose value has room for a few. */
    @Test
    void ofManyBreaksNoneIsMissed() {
        List<Reply> leases = IntStream.range(0, 40)
                .mapToObj(i ->
                        http.acquire("{'lock':'many:" + i + "','ttl':'10m'}").is(201))
                .toList();
        await().atMost(Http.PATIENCE)
                .until(() -> new Http(other).get("/readyz").response().statusCode() == 200);

        leases.forEach(lease -> breakAt(one, lease));

        await().atMost(Http.PATIENCE).untilAsserted(() -> {
            for (LockServer server : List.of(one, other)) {
                assertThat(new Http(server).get("/metrics").response().body())
                        .contains("holdfast_server_events_total{type=\"broken\"} 40.0");
            }
        });
    }

    @Test
    void aLongReasonIsShortenedToFitIntoTheNotice() {
        String lock = "n".repeat(700);
        Reply lease = http.acquire("{'lock':'" + lock + "','ttl':'10m'}").is(201);
        await().atMost(Http.PATIENCE)
                .until(() -> new Http(other).get("/readyz").response().statusCode() == 200);

        http.post(
                        "/v1/break",
                        "{'lock':'" + lock + "','token':" + lease.json().get("token") + ",'reason':'" + "ü".repeat(200)
                                + "'}")
                .is(200);

        await().atMost(Http.PATIENCE)
                .untilAsserted(() -> assertThat(broken(other, lock))
                        .singleElement()
                        .satisfies(event ->
                                assertThat(event.get("reason").stringValue()).startsWith("üüü")));
    }

    @Test
    void aNameThatIsTooLongForANoticeDoesNotDisplaceOthers() {
        breakAt(one, http.acquire("{'lock':'orders:5'}").is(201));
        try (LogRecorder log = new LogRecorder(ServerLogger.NAME)) {
            breakAt(one, http.acquire("{'lock':'" + "n".repeat(1_000) + "'}").is(201));

            assertThat(log.lines()).anyMatch(line -> line.contains("Other servers may not learn of the break"));
        }
        await().atMost(Http.PATIENCE)
                .untilAsserted(() -> assertThat(broken(other, "orders:5")).hasSize(1));
    }

    /** It is for servers only, and no client is shown it. */
    @Test
    void theLockOfTheNoticesIsTheServersOwn() {
        breakAt(one, http.acquire("{'lock':'orders:4'}").is(201));

        http.acquire("{'lock':'" + ServersLocks.BREAKS + "'}").isProblem(400, "bad-request");
        assertThat(http.get("/v1/locks").response().body()).doesNotContain(ServersLocks.BREAKS);
    }
}
