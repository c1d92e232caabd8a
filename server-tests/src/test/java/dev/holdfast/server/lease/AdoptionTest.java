package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases that their clients use at several servers in front of the same nodes. */
@Tag("slow")
class AdoptionTest {

    private static final String[] NODES = {"memory:adoption-1", "memory:adoption-2", "memory:adoption-3"};
    private static final String SECRET_OF_A = "a-secret-of-client-a-0001";
    private static final String SECRET_OF_B = "a-secret-of-client-b-0001";

    private LockServer one;
    private LockServer other;

    @BeforeEach
    void start() {
        one = server();
        other = server();
    }

    private static LockServer server() {
        return LockServer.builder().port(0).nodes(NODES).start();
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    private static Reply lease(LockServer server, Reply lease) {
        return new Http(server).get("/v1/leases/" + lease.text("id"));
    }

    private static Reply post(LockServer server, Reply lease, String what, String body) {
        return new Http(server).post("/v1/leases/" + lease.text("id") + "/" + what, body);
    }

    private static Reply acquire(LockServer server, String lock) {
        return new Http(server)
                .acquire("{'lock':'" + lock + "','ttl':'2s','label':'a worker'}")
                .is(201);
    }

    private static List<String> events(LockServer server, String lock) {
        return StreamSupport.stream(
                        new Http(server)
                                .get("/v1/history?lock=" + Http.encoded(lock))
                                .is(200)
                                .json()
                                .get("events")
                                .spliterator(),
                        false)
                .map(event -> event.get("type").stringValue())
                .toList();
    }

    @Test
    void aLeaseIsExtendedAndReleasedAtAnotherServer() {
        Reply lease = acquire(one, "adopt:1");

        Reply extended = post(other, lease, "extend", "{'ttl':'20s'}").is(200);

        assertThat(extended.text("id")).isEqualTo(lease.text("id"));
        assertThat(extended.number("token")).isEqualTo(lease.number("token"));
        assertThat(extended.text("owner")).isEqualTo(lease.text("owner"));
        assertThat(extended.number("remainingMillis")).isGreaterThan(15_000);
        assertThat(lease(one, lease).is(200).text("lock")).isEqualTo("adopt:1");
        assertThat(post(other, lease, "release", "{}").is(200).text("outcome")).isEqualTo("released");
        lease(one, lease).isProblem(410, "lease-ended");
        lease(other, lease).isProblem(410, "lease-ended");
        post(one, lease, "extend", "{}").isProblem(410, "lease-ended");
        assertThat(acquire(one, "adopt:1").number("token")).isGreaterThan(lease.number("token"));
        assertThat(events(other, "adopt:1")).startsWith("adopted", "extended", "released");
    }

    @Test
    void aHoldCountsFromTheGrantAtWhicheverServerItEnds() {
        Reply lease = acquire(one, "adopt:held");
        await().atMost(Http.PATIENCE).until(() -> lease(one, lease).is(200).number("remainingMillis") < 1_500);

        post(other, lease, "release", "{}").is(200);

        Reply status = new Http(other)
                .get("/v1/status?lock=" + Http.encoded("adopt:held"))
                .is(200);
        assertThat(status.json().get("holds").get("millis").get(0).longValue()).isGreaterThan(450);
        assertThat(new Http(other).get("/metrics").response().body())
                .containsPattern("holdfast_server_hold_seconds_sum (0[.][4-9]|[1-9])");
    }

    @Test
    void aLeaseThatWasReleasedElsewhereIsNotReportedAsLostWhenItsClientExtendsItOnceMore() {
        Reply lease = acquire(one, "adopt:late");
        post(other, lease, "release", "{}").is(200);

        post(one, lease, "extend", "{}").isProblem(410, "lease-ended");

        await().atMost(Http.PATIENCE).until(() -> events(one, "adopt:late").contains("moved"));
        assertThat(events(one, "adopt:late")).doesNotContain("lost", "expired");
        lease(one, lease).isProblem(410, "lease-ended");
        post(one, acquire(other, "adopt:late"), "release", "{}").is(200);
    }

    @Test
    void aBrokenLeaseThatIsExtendedAtOnceIsBrokenAndNothingElse() {
        Reply lease = acquire(one, "adopt:broken");
        new Http(other)
                .post("/v1/break", "{'lock':'adopt:broken','token':" + lease.number("token") + ",'reason':'a test'}")
                .is(200);

        post(one, lease, "extend", "{}").isProblem(410, "lease-ended");

        await().atMost(Http.PATIENCE).until(() -> events(one, "adopt:broken").contains("broken"));
        assertThat(events(one, "adopt:broken")).doesNotContain("lost", "moved");
    }

    @Test
    void theServerThatGrantedItNeitherReleasesNorReportsALeaseThatHasMoved() {
        Reply lease = acquire(one, "adopt:2");
        post(other, lease, "extend", "{'ttl':'20s'}").is(200);

        await().atMost(Http.PATIENCE).until(() -> events(one, "adopt:2").contains("moved"));

        assertThat(events(one, "adopt:2")).doesNotContain("expired", "lost", "released");
        assertThat(one.leases()).isZero();
        assertThat(other.leases()).isEqualTo(1);
        assertThat(lease(other, lease).is(200).number("remainingMillis")).isGreaterThan(10_000);
        assertThat(lease(one, lease).is(200).number("remainingMillis")).isGreaterThan(10_000);
        new Http(one).acquire("{'lock':'adopt:2'}").isProblem(409, "held");
        post(one, lease, "release", "{}").is(200);
    }

    @Test
    void aLeaseThatNoServerExtendsExpires() {
        Reply lease = acquire(one, "adopt:3");
        lease(other, lease).is(200);

        await().atMost(Http.PATIENCE).until(() -> events(one, "adopt:3").contains("expired"));
        await().atMost(Http.PATIENCE).until(() -> other.leases() == 0);

        assertThat(events(other, "adopt:3")).containsExactly("adopted", "moved");
        lease(one, lease).isProblem(410, "lease-ended");
        lease(other, lease).isProblem(410, "lease-ended");
        post(other, lease, "extend", "{}").isProblem(410, "lease-ended");
    }

    @Test
    void aServerContinuesLeasesFromBeforeItsRestart() {
        Reply lease = acquire(one, "adopt:4");
        one.close();
        one = server();
        await().atMost(Http.PATIENCE).until(() -> lease(one, lease).response().statusCode() == 200);

        assertThat(post(one, lease, "extend", "{'ttl':'20s'}").is(200).number("token"))
                .isEqualTo(lease.number("token"));
        assertThat(post(one, lease, "seal", "{'retention':'1m'}").is(200).text("outcome"))
                .isEqualTo("sealed");
        new Http(one).acquire("{'lock':'adopt:4'}").isProblem(409, "sealed");
    }

    @Test
    void valuesAreWrittenInTheOrderOfTheRequests() {
        Reply lease = new Http(one)
                .acquire("{'lock':'adopt:5','ttl':'20s','value':'1'}")
                .is(201);
        for (int write = 2; write < 8; write++) {
            LockServer server = write % 2 == 0 ? other : one;
            post(server, lease, "value", "{'value':'" + write + "'}").is(200);
        }
        for (LockServer server : List.of(one, other)) {
            assertThat(lease(server, lease).is(200).text("value")).isEqualTo("7");
        }
        post(other, lease, "value", "{'value':''}").is(200);
        assertThat(lease(one, lease).is(200).json().get("value").isNull()).isTrue();
        post(other, lease, "value", "{'value':'7'}").is(200);
        post(other, lease, "release", "{}").is(200);

        assertThat(acquire(one, "adopt:5").text("value")).isEqualTo("7");
    }

    @Test
    void twoServersExtendAtTheSameTime() {
        Reply lease = acquire(one, "adopt:6");
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Reply> at = CompletableFuture.supplyAsync(() -> post(other, lease, "extend", "{}"));
            post(one, lease, "extend", "{}").is(200);
            at.join().is(200);
        }
        post(one, lease, "release", "{}").is(200);
        lease(other, lease).isProblem(410, "lease-ended");
    }

    @Test
    void aBreakEndsTheLeaseAtAllServers() {
        Reply lease = acquire(one, "adopt:7");
        post(other, lease, "extend", "{'ttl':'20s'}").is(200);

        new Http(one)
                .post("/v1/break", "{'lock':'adopt:7','token':" + lease.number("token") + ",'reason':'it hangs'}")
                .is(200);

        lease(one, lease).isProblem(410, "lease-ended");
        lease(other, lease).isProblem(410, "lease-ended");
        post(other, lease, "extend", "{}").isProblem(410, "lease-ended");
        await().atMost(Http.PATIENCE).until(() -> other.leases() == 0);
        assertThat(one.leases()).isZero();
    }

    @Test
    void anIdIsOfNoUseToAnotherClient() {
        List<AccessToken> tokens = List.of(
                new AccessToken("a", SECRET_OF_A, List.of("adopt:"), Set.of(Right.ACQUIRE)),
                new AccessToken("b", SECRET_OF_B, List.of("adopt:"), Set.of(Right.ACQUIRE)));
        try (LockServer first =
                        LockServer.builder().port(0).nodes(NODES).tokens(tokens).start();
                LockServer second =
                        LockServer.builder().port(0).nodes(NODES).tokens(tokens).start()) {
            Reply lease = new Http(first)
                    .with(SECRET_OF_A)
                    .acquire("{'lock':'adopt:secret'}")
                    .is(201);
            String path = "/v1/leases/" + lease.text("id");

            new Http(second).with(SECRET_OF_B).get(path).isProblem(404, "not-found");
            new Http(second).with(SECRET_OF_B).post(path + "/release", "{}").isProblem(404, "not-found");
            new Http(second).get(path).isProblem(401, "unauthorized");
            new Http(second).with(SECRET_OF_A).get(path).is(200);
            new Http(second).with(SECRET_OF_A).post(path + "/release", "{}").is(200);
        }
    }

    @Test
    void aForgedIdIsUnknown() {
        Reply lease = acquire(one, "adopt:8");
        String id = lease.text("id");
        int middle = id.length() / 2;
        for (String forged : List.of(
                "x",
                id.substring(1),
                id + "AAAA",
                (id.charAt(0) == 'A' ? "B" : "A") + id.substring(1),
                id.substring(0, middle) + (id.charAt(middle) == 'A' ? "B" : "A") + id.substring(middle + 1))) {
            new Http(other).get("/v1/leases/" + forged).isProblem(404, "not-found");
        }
        lease(other, lease).is(200);
    }

    @Test
    void noClientSeesTheKeys() {
        acquire(one, "adopt:9");
        Http http = new Http(one);

        http.get("/v1/status?lock=" + Http.encoded(ServersLocks.KEYS)).isProblem(400, "bad-request");
        http.acquire("{'lock':'" + ServersLocks.KEYS + "'}").isProblem(400, "bad-request");
        http.post("/v1/break", "{'lock':'" + ServersLocks.KEYS + "','token':1,'reason':'x'}")
                .isProblem(400, "bad-request");
        assertThat(http.get("/v1/locks").response().body()).doesNotContain("~holdfast");
        assertThat(http.get("/v1/table").response().body()).doesNotContain("~holdfast");
    }
}
