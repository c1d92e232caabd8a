package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class LeasesOverHttpTest {

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

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void awaitWaiting(int count) {
        Awaitility.await("waiting requests: " + count).atMost(Http.PATIENCE).until(() -> server.waiting() == count);
    }

    /** The server has noticed that so many clients went while they waited: that is how it answers them. */
    private void awaitGone(int count) {
        Awaitility.await("clients that have gone: " + count)
                .atMost(Http.PATIENCE)
                .until(() -> http.get("/metrics")
                        .response()
                        .body()
                        .lines()
                        .anyMatch(line ->
                                line.matches("holdfast_server_requests_total\\{route=\"acquire\",status=\"400\"} "
                                        + count + "(\\.0)?")));
    }

    @Test
    void aLeaseBearsATokenAndItsValidity() {
        Reply lease = http.acquire("{'lock':'orders:42','ttl':'20s'}").is(201);

        assertThat(lease.text("lock")).isEqualTo("orders:42");
        assertThat(lease.text("mode")).isEqualTo("EX");
        assertThat(lease.number("token")).isPositive();
        assertThat(lease.number("remainingMillis")).isBetween(10_000L, 20_000L);
        assertThat(lease.text("id")).matches("[A-Za-z0-9_-]{60,400}");
        assertThat(lease.response().headers().firstValue("Location")).contains("/v1/leases/" + lease.text("id"));
        assertThat(http.get("/v1/leases/" + lease.text("id")).is(200).number("token"))
                .isEqualTo(lease.number("token"));
    }

    @Test
    void idsAreNeverTheSame() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            ids.add(http.acquire("{'lock':'a" + i + "'}").is(201).text("id"));
        }

        assertThat(ids).hasSize(50);
    }

    @Test
    void whatIsHeldIsRefusedWithTheAnswerOfEveryNode() {
        http.acquire("{'lock':'a'}").is(201);

        Reply refused = http.acquire("{'lock':'a'}").isProblem(409, "held");

        assertThat(refused.json().get("nodes")).hasSize(1);
        assertThat(refused.json().get("nodes").get(0).get("answer").stringValue())
                .isEqualTo("held");
        assertThat(refused.json().get("nodes").get(0).get("node").stringValue()).isEqualTo("embedded");
        assertThat(refused.number("waitedMillis")).isGreaterThanOrEqualTo(0);
    }

    @Test
    void whoWaitsIsAnsweredAtTheRelease() throws Exception {
        Reply first = http.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> second = http.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        awaitWaiting(1);
        assertThat(second).isNotDone();

        assertThat(http.release(first).is(200).text("outcome")).isEqualTo("released");

        assertThat(get(second).is(201).number("token")).isGreaterThan(first.number("token"));
    }

    @Test
    void aWaitIsLongerThanAConnectionMayBeIdle() throws Exception {
        try (LockServer quick =
                LockServer.builder().port(0).idleTimeout(Duration.ofMillis(500)).start()) {
            Http there = new Http(quick);
            there.acquire("{'lock':'a','ttl':'2s'}").is(201);

            there.acquire("{'lock':'a','wait':'25s'}").is(201);
        }
    }

    @Test
    void theWaitEndsWithARefusal() {
        http.acquire("{'lock':'a'}").is(201);

        Reply refused = http.acquire("{'lock':'a','wait':'200ms'}").isProblem(409, "held");

        assertThat(refused.number("waitedMillis")).isBetween(150L, 20_000L);
    }

    @Test
    void readersShareAndAWriterWaits() {
        http.acquire("{'lock':'a','mode':'PR'}").is(201);
        http.acquire("{'lock':'a','mode':'pr'}").is(201);

        http.acquire("{'lock':'a'}").isProblem(409, "held");
    }

    @Test
    void aLeaseThatNobodyExtendsEnds() {
        Reply lease = http.acquire("{'lock':'a','ttl':'300ms'}").is(201);

        Reply next = http.acquire("{'lock':'a','wait':'20s'}").is(201);

        assertThat(next.number("token")).isGreaterThan(lease.number("token"));
        String path = "/v1/leases/" + lease.text("id");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> http.get(path).status() == 410);
        http.get(path).isProblem(410, "lease-ended");
        http.post(path + "/extend", "").isProblem(410, "lease-ended");
        assertThat(http.release(lease).is(200).text("outcome")).isEqualTo("expired");
    }

    @Test
    void aLeaseThatIsExtendedGoesOn() {
        Reply lease = http.acquire("{'lock':'a','ttl':'5s'}").is(201);

        Reply extended = http.post("/v1/leases/" + lease.text("id") + "/extend", "{'ttl':'30s'}")
                .is(200);

        assertThat(extended.number("remainingMillis")).isGreaterThan(20_000);
        assertThat(extended.number("token")).isEqualTo(lease.number("token"));
    }

    @Test
    void releasingTwiceTellsTheSame() {
        Reply lease = http.acquire("{'lock':'a'}").is(201);

        assertThat(http.release(lease).is(200).text("outcome")).isEqualTo("released");
        assertThat(http.release(lease).is(200).text("outcome")).isEqualTo("released");
        assertThat(server.leases()).isZero();
        http.acquire("{'lock':'a'}").is(201);
    }

    @Test
    void aSealKeepsEverybodyOut() {
        Reply lease = http.acquire("{'lock':'a'}").is(201);

        Reply sealed = http.post("/v1/leases/" + lease.text("id") + "/seal", "{'retention':'1h'}")
                .is(200);

        assertThat(sealed.text("outcome")).isEqualTo("sealed");
        Reply refused = http.acquire("{'lock':'a','wait':'10s'}").isProblem(409, "sealed");
        assertThat(refused.json().get("seal").get("remainingMillis").longValue())
                .isPositive();
    }

    @Test
    void aValueIsLeftToTheNextHolder() {
        Reply first = http.acquire("{'lock':'a','value':'row 7'}").is(201);
        assertThat(first.json().get("value").isNull()).isTrue();
        assertThat(first.text("written")).isEqualTo("written");
        http.release(first);

        Reply second = http.acquire("{'lock':'a'}").is(201);
        assertThat(second.text("value")).isEqualTo("row 7");
        http.post("/v1/leases/" + second.text("id") + "/value", "{'value':'row 9'}")
                .is(200);
        http.release(second);

        assertThat(http.acquire("{'lock':'a'}").is(201).text("value")).isEqualTo("row 9");
    }

    @Test
    void aReaderLeavesNoValue() {
        http.acquire("{'lock':'a','mode':'PR','value':'x'}").isProblem(400, "bad-request");
        Reply reader = http.acquire("{'lock':'a','mode':'PR'}").is(201);

        http.post("/v1/leases/" + reader.text("id") + "/value", "{'value':'x'}").isProblem(409, "wrong-mode");
    }

    // ---- Idempotency-Key

    private CompletableFuture<Reply> keyed(String key, String json) {
        return http.sendAsync(
                http.posting("/v1/leases", json).header("Idempotency-Key", key).build());
    }

    @Test
    void aRepeatedRequestGetsTheSameLease() throws Exception {
        Reply one = get(keyed("k", "{'lock':'a'}")).is(201);
        Reply two = get(keyed("k", "{'lock':'a'}")).is(201);

        assertThat(two.text("id")).isEqualTo(one.text("id"));
        assertThat(server.leases()).isEqualTo(1);
        get(keyed("k", "{'lock':'b'}")).isProblem(422, "key-reused");
        get(keyed("other", "{'lock':'a'}")).isProblem(409, "held");
    }

    /** Whether it comes before the release or after it; {@link LeasesTest} has it before. */
    @Test
    void aRepeatedRequestGetsTheLeaseOfTheOneThatStillWaits() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> one = keyed("k", "{'lock':'a','wait':'25s'}");
        awaitWaiting(1);
        CompletableFuture<Reply> two = keyed("k", "{'lock':'a','wait':'25s'}");

        http.release(holder);

        assertThat(get(one).is(201).text("id")).isEqualTo(get(two).is(201).text("id"));
    }

    @Test
    void aKeyWhoseLeaseHasEndedGivesNoOther() throws Exception {
        Reply lease = get(keyed("k", "{'lock':'a'}")).is(201);
        http.release(lease);

        get(keyed("k", "{'lock':'a'}")).isProblem(409, "key-spent");
        assertThat(server.leases()).isZero();
    }

    @Test
    void aKeyThatWasRefusedHasAnotherChance() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        get(keyed("k", "{'lock':'a'}")).isProblem(409, "held");
        http.release(holder);

        get(keyed("k", "{'lock':'a'}")).is(201);
    }

    // ---- many, and those who go

    @Test
    void whoDisconnectsWhileWaitingLeavesTheLine() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        try (Socket gone = new Socket(server)) {
            gone.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"50s\"}");
            awaitWaiting(1);
        }
        awaitWaiting(0);
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.leases() == 1);

        http.release(holder);
        http.acquire("{'lock':'a'}").is(201);
    }

    /** Some clients send a line end behind a body. */
    @Test
    void whoSendsMoreAndDisconnectsLeavesTheQueueToo() throws Exception {
        http.acquire("{'lock':'a'}").is(201);
        try (Socket gone = new Socket(server)) {
            gone.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"1h\"}");
            awaitWaiting(1);
            gone.write("\r\n");
            try (Socket later = new Socket(server)) {
                later.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"1h\"}");
                awaitWaiting(2);
            }
            awaitWaiting(1); // the server has looked at the first one before it looked at the later one
        }
        Awaitility.await() // well before an idle connection is closed
                .atMost(Duration.ofSeconds(15))
                .until(() -> server.waiting() == 0);
    }

    @Test
    void oneOfTwoWithTheSameKeyMayGo() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> stays = keyed("k", "{'lock':'a','wait':'25s'}");
        awaitWaiting(1);
        try (Socket gone = new Socket(server)) {
            gone.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"25s\"}", "Idempotency-Key: k");
        }
        awaitGone(1);

        http.release(holder);

        get(stays).is(201);
    }

    @Test
    void aRequestThatIsSentEarlyIsAnsweredOrTheConnectionCloses() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        try (Socket eager = new Socket(server)) {
            eager.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"25s\"}");
            awaitWaiting(1);
            eager.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            try (Socket later = new Socket(server)) {
                later.post("/v1/leases", "{\"lock\":\"a\",\"wait\":\"25s\"}");
                awaitWaiting(2);
            }
            awaitWaiting(1); // the server has looked at the early one before it looked at the later one
            http.release(holder);

            String all = eager.readAll();

            assertThat(all).startsWith("HTTP/1.1 201").containsIgnoringCase("connection: close");
        }
    }

    /** Each hands over to the next; a thread for each would be a thousand threads. */
    @Test
    void aThousandWaitAndAllGetTheirTurn() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        List<CompletableFuture<Long>> turns = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            turns.add(http.postAsync("/v1/leases", "{'lock':'a','wait':'5m','ttl':'60s'}")
                    .thenCompose(lease -> http.postAsync(
                                    "/v1/leases/" + lease.is(201).text("id") + "/release", "")
                            .thenApply(released -> lease.number("token"))));
        }
        awaitWaiting(1_000);
        assertThat(Thread.getAllStackTraces().keySet().stream() // those of the client in this test are its own
                        .filter(thread -> thread.getName().startsWith("holdfast-")))
                .hasSizeLessThan(200);

        http.release(holder).is(200);

        Set<Long> tokens = new HashSet<>();
        for (CompletableFuture<Long> turn : turns) {
            tokens.add(get(turn));
        }
        assertThat(tokens).hasSize(1_000);
        assertThat(server.waiting()).isZero();
        assertThat(server.leases()).isZero();
    }

    // ---- the end

    @Test
    void stoppingTellsThoseWhoWaitAndLeavesHoldersTheirs() throws Exception {
        Reply holder = http.acquire("{'lock':'a'}").is(201);
        CompletableFuture<Reply> waiter = http.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        awaitWaiting(1);

        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> {
            try {
                return server.stop(Duration.ofSeconds(20));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        get(waiter).isProblem(503, "stopping");
        http.acquire("{'lock':'b'}").isProblem(503, "stopping");
        http.get("/readyz").isProblem(503, "stopping");
        http.get("/healthz").is(200);
        http.post("/v1/leases/" + holder.text("id") + "/extend", "").is(200);
        assertThat(stopped).isNotDone();
        http.release(holder).is(200);
        assertThat(get(stopped)).isTrue();
    }

    @Test
    void whatIsHeldAtNodesOutlastsTheServer() {
        String node = "memory:outlasts-the-server";
        Reply lease;
        try (LockServer other = LockServer.builder().port(0).nodes(node).start()) {
            lease = new Http(other).acquire("{'lock':'a','ttl':'60s'}").is(201);
        }
        try (LockServer next = LockServer.builder().port(0).nodes(node).start()) {
            new Http(next).acquire("{'lock':'a'}").isProblem(409, "held");
            Reply found = new Http(next).get("/v1/leases/" + lease.text("id")).is(200);
            assertThat(found.number("token")).isEqualTo(lease.number("token"));
        }
    }
}
