package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests of the views for operators: urgency, kinds, groups, losses and the wait-for graph. */
@Tag("slow")
class AttentionTest {

    private static List<String> of(JsonNode rows, String field) {
        List<String> all = new ArrayList<>();
        rows.forEach(row -> all.add(row.path(field).asString("none")));
        return all;
    }

    @Test
    void theMostUrgentLocksComeFirst() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (int i = 0; i < 5; i++) {
                http.release(http.acquire("{'lock':'slow'}").is(201)).is(200);
            }
            http.acquire("{'lock':'a'}").is(201);
            http.acquire("{'lock':'contended'}").is(201);
            http.acquire("{'lock':'slow'}").is(201);
            http.acquire(
                            "{'lock':'election','value':'holdfast-election 1\\n7 1700000000000 a@h~ab12cd34/1\\nme\\n\\n'}")
                    .is(201);
            for (String lock : List.of("contended", "slow", "election")) {
                http.postAsync("/v1/leases", "{'lock':'" + lock + "','wait':'1m'}");
            }
            Reply broken = http.acquire("{'lock':'broken'}").is(201);
            http.post("/v1/break", "{'lock':'broken','token':" + broken.number("token") + ",'reason':'a test'}")
                    .is(200);
            http.acquire("{'lock':'broken'}").is(201);
            http.acquire("{'lock':'expired','ttl':'50ms'}").is(201);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> http.get("/v1/overview").number("expired") == 1);
            http.acquire("{'lock':'expired'}").is(201);

            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode rows =
                        http.get("/v1/table?sort=attention").is(200).json().get("locks");
                assertThat(of(rows, "lock")).containsExactly("broken", "expired", "slow", "contended", "a", "election");
                assertThat(of(rows, "attention"))
                        .containsExactly("broken", "expired", "long-wait", "contended", "none", "none");
            });
            JsonNode elections = http.get("/v1/table?kind=election").json().get("locks");
            assertThat(of(elections, "candidate")).containsExactly("me");
            assertThat(http.get("/v1/overview").number("standingBy")).isEqualTo(1);
            assertThat(of(http.get("/v1/losses").json().get("losses"), "type")).containsExactly("expired", "broken");
            assertThat(http.get("/v1/status?lock=slow")
                            .json()
                            .get("holds")
                            .get("millis")
                            .size())
                    .isEqualTo(5);
        }
    }

    /** The nodes no longer list such a lock, but an operator wants to see what has become of it. */
    @Test
    void aBrokenLockThatIsFreeStaysInTheTable() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'held'}").is(201);
            for (String lock : List.of("orders:1", "bills:1")) {
                Reply lease =
                        http.acquire("{'lock':'" + lock + "','label':'me'}").is(201);
                http.post(
                                "/v1/break",
                                "{'lock':'" + lock + "','token':" + lease.number("token") + ",'reason':'a test'}")
                        .is(200);
            }
            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode rows =
                        http.get("/v1/table?prefix=orders:").is(200).json().get("locks");
                assertThat(of(rows, "lock")).containsExactly("orders:1");
                assertThat(of(rows, "state")).containsExactly("free");
                assertThat(of(rows, "attention")).containsExactly("broken");
                assertThat(rows.get(0).get("loss").get("reason").stringValue()).isEqualTo("a test");
                assertThat(rows.get(0).get("loss").get("operator").stringValue())
                        .isNotEmpty();
            });
            assertThat(http.get("/v1/table").number("matching")).isEqualTo(3);
            assertThat(http.get("/v1/overview").number("locks")).isEqualTo(1);
        }
    }

    @Test
    void locksInACircleOfWaitsComeBeforeOtherContention() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (String lock : List.of("one", "two", "apart")) {
                http.acquire("{'lock':'" + lock + "','label':'" + lock + "'}").is(201);
            }
            http.postAsync("/v1/leases", "{'lock':'one','label':'two','wait':'1m'}");
            http.postAsync("/v1/leases", "{'lock':'two','label':'one','wait':'1m'}");
            http.postAsync("/v1/leases", "{'lock':'apart','label':'one','wait':'1m'}");

            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode rows =
                        http.get("/v1/table?sort=attention").is(200).json().get("locks");
                assertThat(of(rows, "lock")).containsExactly("one", "two", "apart");
                assertThat(of(rows, "attention")).containsExactly("circle", "circle", "contended");
            });
        }
    }

    @Test
    void theKindsOfLocksAreKnownByNameValueSealAndModes() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (String lock : List.of("pool#0", "pool#17", "pool#gate", "pool#x", "pool#01", "#0")) {
                http.acquire("{'lock':'" + lock + "'}").is(201);
            }
            http.acquire("{'lock':'shop','mode':'CW'}").is(201);
            http.acquire("{'lock':'shop/orders','mode':'EX'}").is(201);
            http.acquire("{'lock':'depot','mode':'PR','ttl':'1m'}").is(201);
            http.acquire("{'lock':'depot','mode':'NL'}").is(201);
            Reply done = http.acquire("{'lock':'done'}").is(201);
            http.post("/v1/leases/" + done.text("id") + "/seal", "{'retention':'1h'}")
                    .is(200);

            assertThat(of(http.get("/v1/table?kind=semaphore-slot").json().get("locks"), "lock"))
                    .containsExactly("pool#0", "pool#17");
            assertThat(of(http.get("/v1/table?kind=semaphore-gate").json().get("locks"), "lock"))
                    .containsExactly("pool#gate");
            assertThat(of(http.get("/v1/table?kind=lock").json().get("locks"), "lock"))
                    .containsExactly("#0", "depot", "pool#01", "pool#x", "shop/orders");
            assertThat(http.get("/v1/status?lock=done").text("kind")).isEqualTo("once-guard");
            http.get("/v1/table?kind=plant").isProblem(400, "bad-request");

            assertThat(of(http.get("/v1/table?kind=tree").json().get("locks"), "lock"))
                    .containsExactly("shop");
            assertThat(http.get("/v1/status?lock=depot").text("kind")).isEqualTo("lock");
            assertThat(http.get("/v1/status?lock=shop").text("kind")).isEqualTo("tree");
        }
    }

    @Test
    void groupsCountTheLocksOfAPrefix() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (String lock : List.of("orders:de:1", "orders:de:2", "orders:fr:1", "alone")) {
                http.acquire("{'lock':'" + lock + "'}").is(201);
            }
            http.acquire("{'lock':'orders:fr:2','ttl':'50ms'}").is(201);
            http.acquire("{'lock':'orders:fr:2','wait':'10s'}").is(201);

            JsonNode all = http.get("/v1/groups").is(200).json().get("groups");
            assertThat(of(all, "prefix")).containsExactly("orders:", "alone");
            assertThat(all.get(0).get("locks").intValue()).isEqualTo(4);
            assertThat(all.get(0).get("attention").intValue()).isEqualTo(1);
            JsonNode orders = http.get("/v1/groups?prefix=orders:").json().get("groups");
            assertThat(of(orders, "prefix")).containsExactly("orders:fr:", "orders:de:");
        }
    }

    @Test
    void theWaitForGraphMarksCirclesOfTheCallersLocksOnly() {
        String all = "secret-of-all-of-it-0123456";
        String reader = "secret-of-the-reader-0123";
        try (LockServer server = LockServer.builder()
                .port(0)
                .tokens(List.of(
                        new AccessToken("all", all, List.of(""), Set.of(Right.ACQUIRE, Right.READ)),
                        new AccessToken("reader", reader, List.of("left"), Set.of(Right.READ))))
                .start()) {
            Http http = new Http(server).with(all);
            http.acquire("{'lock':'left','label':'alice'}").is(201);
            http.acquire("{'lock':'right','label':'bob'}").is(201);
            http.postAsync("/v1/leases", "{'lock':'right','label':'alice','wait':'1m'}");
            http.postAsync("/v1/leases", "{'lock':'left','label':'carol','wait':'1m'}");
            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode graph = http.get("/v1/waits").is(200).json();
                assertThat(graph.get("waits")).hasSize(2);
                assertThat(graph.get("circles").intValue()).isZero();
            });
            http.postAsync("/v1/leases", "{'lock':'left','label':'bob','wait':'1m'}");

            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode graph = http.get("/v1/waits").json();
                assertThat(graph.get("circles").intValue()).isEqualTo(1);
                assertThat(of(graph.get("clients"), "label")).containsExactlyInAnyOrder("alice", "bob", "carol");
                graph.get("clients")
                        .forEach(client -> assertThat(client.get("circle").isNull())
                                .as("%s", client)
                                .isEqualTo(client.get("label").stringValue().equals("carol")));
            });
            JsonNode some =
                    new Http(server).with(reader).get("/v1/waits").is(200).json();
            assertThat(some.get("circles").intValue()).isZero();
            assertThat(of(some.get("waits"), "lock")).containsOnly("left");
            assertThat(new Http(server).with(reader).get("/v1/groups").json().toString())
                    .doesNotContain("right");
        }
    }

    /** The ids of a server's clients have the same beginning, which is that server's. Their labels are known at every server. */
    @Test
    void clientsOfOneServerAreNotOneClient() {
        String nodes = "memory:waits-at-two-servers";
        try (LockServer server = LockServer.builder().port(0).nodes(nodes).start();
                LockServer other = LockServer.builder().port(0).nodes(nodes).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a','label':'alice'}").is(201);
            http.acquire("{'lock':'b','label':'bob'}").is(201);
            http.postAsync("/v1/leases", "{'lock':'a','label':'carol','wait':'1m'}");
            http.postAsync("/v1/leases", "{'lock':'b','label':'dave','wait':'1m'}");

            for (LockServer one : List.of(server, other)) {
                Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                    JsonNode graph = new Http(one).get("/v1/waits").is(200).json();
                    assertThat(of(graph.get("waits"), "lock")).containsExactlyInAnyOrder("a", "b");
                    assertThat(graph.get("clients")).hasSize(4);
                    assertThat(graph.get("circles").intValue()).isZero();
                });
            }
            http.postAsync("/v1/leases", "{'lock':'b','label':'alice','wait':'1m'}");
            http.postAsync("/v1/leases", "{'lock':'a','label':'bob','wait':'1m'}");
            for (LockServer one : List.of(server, other)) {
                Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                    JsonNode graph = new Http(one).get("/v1/waits").json();
                    assertThat(graph.get("waits")).hasSize(4);
                    assertThat(of(graph.get("clients"), "label"))
                            .containsExactlyInAnyOrder("alice", "bob", "carol", "dave");
                    assertThat(graph.get("circles").intValue()).isEqualTo(1);
                });
            }
        }
    }

    /** The threads of a process often wait for each other, and briefly for those of another process, without a deadlock. */
    @Test
    void processesThatWaitForEachOtherForLongAreInACircle() throws InterruptedException {
        String nodes = "memory:waits-of-processes";
        try (LockServer server = LockServer.builder().port(0).nodes(nodes).start();
                Holdfast billing = Holdfast.builder()
                        .nodes(nodes)
                        .clientName("billing@host-1")
                        .connect();
                Holdfast stock = Holdfast.builder()
                        .nodes(nodes)
                        .clientName("stock@host-2")
                        .connect()) {
            Http http = new Http(server);
            billing.lock("a").acquire();
            stock.lock("b").acquire();
            billing.lock("c").acquire();
            billing.lock("c").localHandOver(false).acquireAsync(Duration.ofMinutes(1));
            billing.lock("b").acquireAsync(Duration.ofMinutes(1));
            stock.lock("a").acquireAsync(Duration.ofMinutes(1));

            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    of(http.get("/v1/waits").is(200).json().get("waits"), "lock"))
                            .containsExactlyInAnyOrder("a", "b", "c"));
            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode graph = http.get("/v1/waits").json();
                assertThat(graph.get("circles").intValue()).isEqualTo(1);
                graph.get("waits")
                        .forEach(wait -> assertThat(wait.get("circle").isNull())
                                .as("%s", wait)
                                .isEqualTo(wait.get("lock").stringValue().equals("c")));
            });
        }
    }

    @Test
    void aLeaseOfAnotherServerThatNobodyExtendsIsAboutToExpire() {
        String nodes = "memory:expiring-elsewhere";
        try (LockServer server = LockServer.builder().port(0).nodes(nodes).start();
                LockServer other = LockServer.builder().port(0).nodes(nodes).start()) {
            new Http(server).acquire("{'lock':'held','ttl':'4s'}").is(201);
            Http http = new Http(other);
            assertThat(of(http.get("/v1/table").json().get("locks"), "attention"))
                    .containsExactly("none");

            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(of(http.get("/v1/table").json().get("locks"), "attention"))
                                    .containsExactly("expiring"));
        }
    }
}
