package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.SwitchedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("slow")
class LockViewsTest {

    @Test
    void thePagesOfAListAreAllOfIt() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (int i = 0; i < 25; i++) {
                http.acquire("{'lock':'orders:" + (100 + i) + "'}").is(201);
            }
            http.acquire("{'lock':'other'}").is(201);
            List<String> all = new ArrayList<>();
            String after = "";
            do {
                JsonNode page = http.get("/v1/locks?prefix=orders:&limit=10&after=" + Http.encoded(after))
                        .is(200)
                        .json();
                assertThat(page.get("complete").booleanValue()).isTrue();
                assertThat(page.get("locks").size()).isBetween(1, 10);
                page.get("locks").forEach(name -> all.add(name.stringValue()));
                after = page.get("next").isNull() ? "" : page.get("next").stringValue();
            } while (!after.isEmpty());

            assertThat(all).hasSize(25).doesNotHaveDuplicates().isSorted();
        }
    }

    /** Clients with another key prefix, and other programs at a Redis node, use names that are none for this server. */
    @Test
    void aNameThatIsNoneHereHidesNoLock() throws Exception {
        try (LockServer server = LockServer.builder().port(0).start();
                Holdfast other =
                        Holdfast.builder().nodes(server.nodeUri()).keyPrefix("").connect()) {
            other.lock("lock:").acquire(Http.PATIENCE);
            Http http = new Http(server);
            http.acquire("{'lock':'a'}").is(201);

            assertThat(http.get("/v1/table").is(200).json().get("total").intValue())
                    .isEqualTo(1);
        }
    }

    /** After a while without a page, the nodes must be asked for each lock, which may take seconds. */
    @Test
    void theFirstTableDoesNotWaitForAllLocks() {
        SwitchedNodes nodes = new SwitchedNodes();
        try (LockServer server =
                LockServer.builder().port(0).client(nodes.client(1)).start()) {
            Http http = new Http(server);
            for (String name : List.of("a", "b", "z")) {
                http.acquire("{'lock':'" + name + "'}").is(201);
            }
            nodes.holdBack("lock:z");

            JsonNode first = http.get("/v1/table?sort=name").is(200).json();

            assertThat(first.get("locks")).hasSize(2);
            assertThat(first.get("total").intValue()).isEqualTo(2);
            assertThat(first.get("unread").intValue()).isEqualTo(1);
            assertThat(first.get("complete").booleanValue()).isFalse();
            JsonNode overview = http.get("/v1/overview").is(200).json();
            assertThat(overview.get("locks").intValue() + overview.get("unread").intValue())
                    .isEqualTo(3);
            nodes.holdBack("");
            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode whole = http.get("/v1/table?sort=name").is(200).json();
                assertThat(whole.get("total").intValue()).isEqualTo(3);
                assertThat(whole.get("unread").intValue()).isZero();
                assertThat(whole.get("complete").booleanValue()).isTrue();
            });
        }
    }

    @Test
    void statusTellsHoldersWaitersAndNodes() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            Reply lease = http.acquire("{'lock':'a','value':'v'}").is(201);

            JsonNode status = http.get("/v1/status?lock=a").is(200).json();

            assertThat(status.get("hasMajority").booleanValue()).isTrue();
            assertThat(status.get("holders").get(0).get("token").longValue()).isEqualTo(lease.number("token"));
            assertThat(status.get("value").stringValue()).isEqualTo("v");
            assertThat(status.get("nodes")).hasSize(1);
        }
    }

    @Test
    void aServerInFrontOfAMajority() {
        try (LockServer server = LockServer.builder()
                .port(0)
                .nodes("memory:", "memory:", "memory:")
                .start()) {
            Http http = new Http(server);

            http.acquire("{'lock':'a'}").is(201);

            assertThat(http.acquire("{'lock':'a'}")
                            .isProblem(409, "held")
                            .json()
                            .get("nodes"))
                    .hasSize(3);
            JsonNode nodes = http.get("/v1/nodes").is(200).json();
            assertThat(nodes.get("hasMajority").booleanValue()).isTrue();
            assertThat(nodes.get("nodes")).hasSize(3);
            assertThat(nodes.get("nodes").get(0).get("state").stringValue()).isEqualTo("up");
            http.get("/readyz").is(200);
        }
    }

    @Test
    void theTableFiltersSortsAndTurnsPages() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (int i = 0; i < 25; i++) {
                http.acquire("{'lock':'orders:" + (100 + i) + "','label':'Worker " + i + "','ttl':'" + (100 + i)
                                + "s'}")
                        .is(201);
            }
            http.acquire("{'lock':'other'}").is(201);
            http.postAsync("/v1/leases", "{'lock':'other','wait':'30s'}");
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> http.get("/v1/overview").number("waiting") == 1);

            JsonNode page = http.get("/v1/table?prefix=orders:&offset=20&limit=10")
                    .is(200)
                    .json();
            assertThat(page.get("matching").intValue()).isEqualTo(25);
            assertThat(names(page))
                    .containsExactly("orders:120", "orders:121", "orders:122", "orders:123", "orders:124");
            JsonNode row = page.get("locks").get(0);
            assertThat(row.get("state").stringValue()).isEqualTo("held");
            assertThat(row.get("label").stringValue()).isEqualTo("Worker 20");
            assertThat(row.get("ttlMillis").longValue()).isEqualTo(120_000);
            assertThat(row.get("sinceExact").booleanValue()).isTrue();
            assertThat(row.get("votes").get(0).stringValue()).isEqualTo("for");

            assertThat(names(http.get("/v1/table?contains=wORKER%202&sort=-remaining")
                            .json()))
                    .containsExactly(
                            "orders:124", "orders:123", "orders:122", "orders:121", "orders:120", "orders:102");
            assertThat(names(http.get("/v1/table?sort=-queue&limit=1").json())).containsExactly("other");
            assertThat(names(http.get("/v1/table?sort=-held&limit=1").json())).containsExactly("orders:100");
            assertThat(http.get("/v1/table?state=sealed").number("matching")).isZero();
            http.get("/v1/table?limit=201").isProblem(400, "bad-request");
            http.get("/v1/table?sort=colour").isProblem(400, "bad-request");
            http.get("/v1/table?state=HELD").isProblem(400, "bad-request");
        }
    }

    private static List<String> names(JsonNode page) {
        List<String> names = new ArrayList<>();
        page.get("locks").forEach(lock -> names.add(lock.get("lock").stringValue()));
        return names;
    }

    @Test
    void whoWaitsAndWhoLeavesIsKnownByLabel() throws Exception {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a','label':'first'}").is(201);
            var waiting = http.postAsync("/v1/leases", "{'lock':'a','label':'second','wait':'3s'}");
            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode status = http.get("/v1/status?lock=a").json();
                assertThat(status.get("waiters")).hasSize(1);
                assertThat(status.get("waiters").get(0).get("label").stringValue())
                        .isEqualTo("second");
                assertThat(status.get("nodes").get(0).get("queue")).hasSize(1);
            });
            waiting.get(Http.PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
                    .isProblem(409, "held");

            JsonNode history = http.get("/v1/history?lock=a").is(200).json();
            List<String> types = new ArrayList<>();
            history.get("events").forEach(event -> types.add(event.get("type").stringValue()));
            assertThat(types).containsExactly("granted", "queued", "left");
            assertThat(history.get("events").get(2).get("label").stringValue()).isEqualTo("second");
            assertThat(http.get("/v1/history?lock=b").json().get("events")).isEmpty();
            http.get("/v1/history").isProblem(400, "bad-request");
        }
    }

    @Test
    void aLabelIsForPeople() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a','label':'Jürgen’s worker <1>'}").is(201);
            http.acquire("{'lock':'b','label':''}").isProblem(400, "bad-request");
            http.acquire("{'lock':'b','label':'" + "x".repeat(101) + "'}").isProblem(400, "bad-request");
            http.acquire("{'lock':'b','label':'a\\u0007'}").isProblem(400, "bad-request");
        }
    }

    /** Locks do not vanish from the table because their state is unknown. */
    @Test
    void withoutAMajorityNothingIsCertain() {
        SwitchedNodes nodes = new SwitchedNodes();
        try (LockServer server =
                LockServer.builder().port(0).client(nodes.client(3)).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a','ttl':'1h'}").is(201);
            assertThat(http.get("/v1/table")
                            .json()
                            .get("locks")
                            .get(0)
                            .get("state")
                            .stringValue())
                    .isEqualTo("held");
            for (int node = 0; node < 2; node++) {
                nodes.set(node, NodeStatus.State.DOWN, 0);
            }

            Awaitility.await().atMost(Http.PATIENCE).untilAsserted(() -> {
                JsonNode overview = http.get("/v1/overview").is(200).json();
                assertThat(overview.get("hasMajority").booleanValue()).isFalse();
                assertThat(overview.get("states").get("unknown").intValue()).isEqualTo(1);
                assertThat(overview.get("states").get("held").intValue()).isZero();
            });
            nodes.set(2, NodeStatus.State.DOWN, 0);
            Awaitility.await()
                    .pollDelay(java.time.Duration.ofMillis(600))
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> {
                        JsonNode row = http.get("/v1/table")
                                .is(200)
                                .json()
                                .get("locks")
                                .get(0);
                        assertThat(row.get("state").stringValue()).isEqualTo("unknown");
                        assertThat(row.get("votes").get(2).stringValue()).isEqualTo("silent");
                    });
        }
    }

    /** An empty table would say that nothing is held. */
    @Test
    void nodesThatDoNotTellTheirLocksInTimeAreNoEmptyTable() {
        SwitchedNodes nodes = new SwitchedNodes();
        try (LockServer server =
                LockServer.builder().port(0).client(nodes.client(3)).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'a','ttl':'1h'}").is(201);
            nodes.listless(true);
            assertThat(http.get("/v1/table").isProblem(503, "no-quorum").text("detail"))
                    .contains("Only 0 of 3 nodes");
            http.get("/v1/overview").isProblem(503, "no-quorum");
            assertThat(http.get("/v1/locks").isProblem(503, "no-quorum").text("detail"))
                    .contains("Only 0 of 3 nodes", "node-1: ");

            nodes.listless(false);
            assertThat(names(http.get("/v1/table").is(200).json())).containsExactly("a");
        }
    }

    @Test
    void aTokenSeesItsOwnPrefixesOnly() {
        String reader = "secret-of-the-reader-0123";
        String all = "secret-of-all-of-it-0123456";
        try (LockServer server = LockServer.builder()
                .port(0)
                .tokens(List.of(
                        new AccessToken("reader", reader, List.of("orders:", "bills:"), Set.of(Right.READ)),
                        new AccessToken("all", all, List.of(""), Set.of(Right.ACQUIRE, Right.READ))))
                .start()) {
            Http everything = new Http(server).with(all);
            for (String lock : List.of("orders:1", "bills:1", "wages:1")) {
                everything.acquire("{'lock':'" + lock + "','ttl':'1h'}").is(201);
            }
            everything.acquire("{'lock':'wages:2','ttl':'50ms'}").is(201);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> everything.get("/v1/overview").number("expired") == 1);
            Http some = new Http(server).with(reader);

            JsonNode overview = some.get("/v1/overview").is(200).json();
            assertThat(overview.get("locks").intValue()).isEqualTo(2);
            assertThat(overview.get("expired").intValue()).isZero();
            assertThat(overview.toString()).doesNotContain("wages");
            assertThat(names(some.get("/v1/table").json())).containsExactly("bills:1", "orders:1");
            assertThat(names(some.get("/v1/table?prefix=orders:").json())).containsExactly("orders:1");
            assertThat(names(some.get("/v1/table?prefix=wages:").json())).isEmpty();
            assertThat(names(some.get("/v1/table?contains=1").json())).containsExactly("bills:1", "orders:1");
            some.get("/v1/history?lock=wages:1").isProblem(403, "forbidden");
            some.get("/v1/history?lock=orders:1").is(200);
        }
    }

    @Test
    void c11_aQuestionThatFailsWithAnErrorIsAnswered() {
        SwitchedNodes nodes = new SwitchedNodes();
        try (LockServer own =
                LockServer.builder().port(0).client(nodes.client(3)).start()) {
            nodes.broken(true);
            new Http(own).get("/v1/nodes").is(500);
            nodes.broken(false);
            new Http(own).get("/v1/nodes").is(200);
        }
    }
}
