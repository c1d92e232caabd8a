package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.session.SessionClient;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Answers name an owner in one form, and refusals name the client that holds the lock. */
class OwnerNamesTest {

    @Test
    void anOwnerHasOneFormInAllAnswers() {
        try (LockServer server = LockServer.builder().port(0).start();
                SessionClient waiter = SessionClient.open(server)) {
            Http http = new Http(server);
            Reply lease = http.acquire("{'lock':'one'}").is(201);
            waiter.askAsync("acquire", "'lock':'one','wait':'30s'");
            await().atMost(Http.PATIENCE)
                    .until(() -> http.get("/v1/status?lock=one")
                                    .json()
                                    .get("waiters")
                                    .size()
                            == 1);

            JsonNode status = http.get("/v1/status?lock=one").is(200).json();
            JsonNode events = http.get("/v1/history?lock=one").is(200).json().get("events");
            JsonNode owner = lease.json().get("owner");
            assertThat(status.get("holders").get(0).get("owner")).isEqualTo(owner);
            assertThat(status.get("nodes").get(0).get("holders").get(0).get("owner"))
                    .isEqualTo(owner);
            assertThat(events.get(0).get("owner")).isEqualTo(owner);
            assertThat(http.get("/v1/table").json().get("locks").get(0).get("owner"))
                    .isEqualTo(owner);
            JsonNode waits = status.get("waiters").get(0).get("owner");
            assertThat(status.get("nodes").get(0).get("queue").get(0)).isEqualTo(waits);
            assertThat(events.get(1).get("owner")).isEqualTo(waits);
        }
    }

    @Test
    void aRefusalNamesTheClientThatHoldsTheLock() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'two','label':'invoice run'}").is(201);

            Reply refused = http.acquire("{'lock':'two'}").isProblem(409, "held");

            assertThat(refused.text("detail")).contains("'invoice run' (127.0.0.1)");
            assertThat(refused.json().get("nodes").get(0).get("detail").stringValue())
                    .contains("'invoice run' (127.0.0.1)");
        }
    }

    @Test
    void aRefusalNamesAReaderThatStillHoldsTheLock() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'three','mode':'PR','label':'report'}").is(201);
            http.release(http.acquire("{'lock':'three','mode':'PR','label':'export'}")
                            .is(201))
                    .is(200);

            Reply refused = http.acquire("{'lock':'three'}").isProblem(409, "held");

            assertThat(refused.text("detail")).contains("'report' (127.0.0.1)");
        }
    }

    @Test
    void aRefusalAfterAWaitNamesTheClientThatHoldsTheLock() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            http.acquire("{'lock':'four','label':'invoice run'}").is(201);

            Reply refused = http.acquire("{'lock':'four','wait':'50ms'}").isProblem(409, "held");

            assertThat(refused.text("detail")).contains("behind 'invoice run' (127.0.0.1)");
            assertThat(refused.json().get("nodes").get(0).get("detail").stringValue())
                    .isEqualTo("behind 'invoice run' (127.0.0.1)");
        }
    }

    @Test
    void aServerThatContinuesALeaseNamesItsClient() {
        String node = "memory:named";
        try (LockServer one = LockServer.builder().port(0).nodes(node).start();
                LockServer other = LockServer.builder().port(0).nodes(node).start()) {
            Reply lease = new Http(one)
                    .acquire("{'lock':'five','label':'invoice run'}")
                    .is(201);
            Http http = new Http(other);
            http.post("/v1/leases/" + lease.text("id") + "/extend", "{}").is(200);

            Reply refused = http.acquire("{'lock':'five'}").isProblem(409, "held");

            assertThat(refused.text("detail")).contains("by 'invoice run' (127.0.0.1)");
        }
    }

    @Test
    void aServerThatNeverServedAClientNamesIt() {
        String node = "memory:named-elsewhere";
        try (LockServer one = LockServer.builder().port(0).nodes(node).start();
                LockServer other = LockServer.builder().port(0).nodes(node).start()) {
            Http http = new Http(other);
            Reply lease = new Http(one)
                    .acquire("{'lock':'seven','label':'Nachtlauf für 10 %'}")
                    .is(201);
            new Http(one).acquire("{'lock':'eight'}").is(201);

            assertThat(http.acquire("{'lock':'seven'}").isProblem(409, "held").text("detail"))
                    .contains("by 'Nachtlauf für 10 %' (127.0.0.1)");
            assertThat(http.acquire("{'lock':'seven','wait':'50ms'}")
                            .isProblem(409, "held")
                            .text("detail"))
                    .contains("behind 'Nachtlauf für 10 %' (127.0.0.1)");
            assertThat(http.acquire("{'lock':'eight'}").isProblem(409, "held").text("detail"))
                    .contains("by 127.0.0.1");
            JsonNode rows = http.get("/v1/table?contains=nachtlauf").json().get("locks");
            assertThat(rows).hasSize(1);
            assertThat(rows.get(0).get("label").stringValue()).isEqualTo("Nachtlauf für 10 %");
            assertThat(rows.get(0).get("client").stringValue()).isEqualTo("127.0.0.1");
            assertThat(rows.get(0).get("owner").stringValue()).isEqualTo(lease.text("owner"));
            JsonNode holder =
                    http.get("/v1/status?lock=eight").json().get("holders").get(0);
            assertThat(holder.get("label").isNull()).isTrue();
            assertThat(holder.get("client").stringValue()).isEqualTo("127.0.0.1");

            new Http(one)
                    .post("/v1/leases/" + lease.text("id") + "/seal", "{'retention':'1m'}")
                    .is(200);
            assertThat(http.get("/v1/status?lock=seven")
                            .json()
                            .get("seal")
                            .get("by")
                            .stringValue())
                    .isEqualTo("'Nachtlauf für 10 %' (127.0.0.1)");
        }
    }

    @Test
    void aSealNamesTheClientThatDidTheWork() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            Reply lease = http.acquire("{'lock':'six','label':'invoice run'}").is(201);
            http.post("/v1/leases/" + lease.text("id") + "/seal", "{'retention':'1m'}")
                    .is(200);

            Reply refused = http.acquire("{'lock':'six'}").isProblem(409, "sealed");

            assertThat(refused.text("detail")).contains("by 'invoice run' (127.0.0.1)");
            assertThat(refused.json().get("seal").get("by").stringValue()).isEqualTo("'invoice run' (127.0.0.1)");
            assertThat(http.get("/v1/status?lock=six")
                            .json()
                            .get("seal")
                            .get("by")
                            .stringValue())
                    .isEqualTo("'invoice run' (127.0.0.1)");
        }
    }
}
