package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.server.Http.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The server in front of three real Redis masters, of which some are killed. */
@Tag("slow")
class RedisNodesTest {

    private static final Duration QUARANTINE = Duration.ofSeconds(2);

    private RedisProcesses nodes;
    private LockServer server;
    private LockServer other;
    private Http http;

    @BeforeEach
    void start() {
        nodes = RedisProcesses.start(3);
        server = server();
        other = server();
        http = new Http(server);
    }

    private LockServer server() {
        return LockServer.builder()
                .port(0)
                .client(Holdfast.builder()
                        .nodes(nodes.uris().stream().map(URI::toString).toList())
                        .nodeOptions(NodeOptions.defaults().timeout(Duration.ofSeconds(5)))
                        .restartQuarantine(QUARANTINE))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
        other.close();
        nodes.close();
    }

    private void awaitReady(int status) {
        Awaitility.await("/readyz says " + status)
                .atMost(Http.PATIENCE)
                .until(() -> http.get("/readyz").status() == status);
    }

    @Test
    void oneOfThreeMayBeGone() throws Exception {
        Reply before = http.acquire("{'lock':'a','ttl':'60s'}").is(201);

        nodes.node(0).kill();

        Reply lease = http.acquire("{'lock':'b','ttl':'60s'}").is(201);
        http.post("/v1/leases/" + lease.text("id") + "/extend", "").is(200);
        http.post("/v1/leases/" + before.text("id") + "/extend", "").is(200);
        assertThat(http.get("/readyz").is(200).text("status")).isEqualTo("ready");
        Awaitility.await("it is seen")
                .atMost(Http.PATIENCE)
                .until(() -> http.get("/metrics").response().body().matches("(?s).*node_up\\{[^}]*} 0\\.0.*"));
        JsonNode shown = http.get("/v1/nodes").is(200).json();
        assertThat(shown.get("hasMajority").booleanValue()).isTrue();
        CompletableFuture<Reply> waiter = http.postAsync("/v1/leases", "{'lock':'b','wait':'25s'}");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> server.waiting() == 1);
        http.release(lease).is(200);
        waiter.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(201);
    }

    @Test
    void twoOfThreeMayNot() {
        Reply before = http.acquire("{'lock':'a','ttl':'60s'}").is(201);
        nodes.node(0).kill();
        nodes.node(1).kill();

        Reply refused = http.acquire("{'lock':'b'}").isProblem(503, "no-quorum");

        List<String> answers = new ArrayList<>();
        for (JsonNode node : refused.json().get("nodes")) {
            answers.add(node.get("answer").stringValue());
            assertThat(node.get("node").stringValue()).startsWith("redis://127.0.0.1:");
        }
        assertThat(answers).hasSize(3).contains("granted").doesNotContain("held");
        assertThat(refused.json().get("nodes"))
                .anySatisfy(node -> assertThat(node.get("detail").stringValue()).isNotBlank());
        awaitReady(503);
        http.get("/readyz").isProblem(503, "no-quorum");
        assertThat(http.get("/v1/nodes").is(200).json().get("hasMajority").booleanValue())
                .isFalse();
        http.post("/v1/leases/" + before.text("id") + "/extend", "").isProblem(503, "unconfirmed");
        http.get("/healthz").is(200);

        nodes.node(0).restart();
        nodes.node(1).restart();

        awaitReady(200);
        Reply lease = http.acquire("{'lock':'b','wait':'20s'}").is(201);
        assertThat(http.release(lease).is(200).text("outcome")).isEqualTo("released");
    }

    /** The node timeout of these servers is so long that a short ttl is not valid for them. */
    @Test
    void aBreakIsReportedAtAllServers() {
        Reply lease = http.acquire("{'lock':'a','ttl':'60s'}").is(201);

        new Http(other)
                .post("/v1/break", "{'lock':'a','token':" + lease.number("token") + ",'reason':'it hangs'}")
                .is(200);

        Awaitility.await()
                .atMost(Http.PATIENCE)
                .until(() -> http.get("/v1/leases/" + lease.text("id")).status() == 410);
    }

    /** A lock that one server grants is visible to another server in front of the same nodes, which waits for it. */
    @Test
    void twoServersShareTheNodes() throws Exception {
        Http there = new Http(other);
        Reply lease = http.acquire("{'lock':'a','ttl':'60s'}").is(201);
        there.acquire("{'lock':'a'}").isProblem(409, "held");
        CompletableFuture<Reply> waiter = there.postAsync("/v1/leases", "{'lock':'a','wait':'25s'}");
        Awaitility.await().atMost(Http.PATIENCE).until(() -> other.waiting() == 1);
        assertThat(there.get("/v1/leases/" + lease.text("id")).is(200).number("token"))
                .isEqualTo(lease.number("token"));

        there.release(lease).is(200);

        Reply next = waiter.get(Http.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(201);
        assertThat(next.number("token")).isGreaterThan(lease.number("token"));
    }

    /** The holder of a lock at a dead server keeps it at the nodes until its ttl ends, and no longer. */
    @Test
    void whatAServerHeldOutlastsIt() {
        http.acquire("{'lock':'a','ttl':'10s'}").is(201);
        server.close();
        Http there = new Http(other);

        there.acquire("{'lock':'a'}").isProblem(409, "held");

        there.acquire("{'lock':'a','wait':'25s'}").is(201);
    }
}
