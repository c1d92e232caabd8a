package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.ServerProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client whose lock server dies continues at another one: real processes in front of three real Redis masters. */
@Tag("slow")
class LeaseOutlivesItsServerTest {

    private static RedisProcesses nodes;
    private static ServerProcess other;
    private static int tests;

    private final String lock = "lock" + tests++;
    private ServerProcess one;

    @BeforeAll
    static void startNodes() {
        nodes = RedisProcesses.start(3);
        other = ServerProcess.start(nodes.uris());
    }

    @BeforeEach
    void start() {
        one = ServerProcess.start(nodes.uris());
    }

    @AfterEach
    void stop() {
        one.close();
    }

    @AfterAll
    static void stopNodes() {
        other.close();
        nodes.close();
    }

    private static String path(Reply lease) {
        return "/v1/leases/" + lease.text("id");
    }

    private Reply acquire(String ttl) {
        return one.http()
                .acquire("{'lock':'" + lock + "','ttl':'" + ttl + "','wait':'20s'}")
                .is(201);
    }

    private void continuesAtTheOther(Reply lease) {
        Http http = other.http();
        Reply found = http.get(path(lease)).is(200);
        assertThat(found.text("id")).isEqualTo(lease.text("id"));
        assertThat(found.number("token")).isEqualTo(lease.number("token"));
        assertThat(found.number("remainingMillis")).isBetween(1L, 20_000L);
        http.acquire("{'lock':'" + lock + "'}").isProblem(409, "held");
        Reply extended = http.post(path(lease) + "/extend", "{'ttl':'40s'}").is(200);
        assertThat(extended.number("token")).isEqualTo(lease.number("token"));
        assertThat(extended.number("remainingMillis")).isBetween(20_001L, 40_000L);
        http.post(path(lease) + "/value", "{'value':'half'}").is(200);
        assertThat(http.post(path(lease) + "/release", "{}").is(200).text("outcome"))
                .isEqualTo("released");
        http.get(path(lease)).isProblem(410, "lease-ended");
        http.post(path(lease) + "/extend", "{}").isProblem(410, "lease-ended");
        Reply next = http.acquire("{'lock':'" + lock + "'}").is(201);
        assertThat(next.number("token")).isGreaterThan(lease.number("token"));
        assertThat(next.text("value")).isEqualTo("half");
    }

    @Test
    void ofAServerThatIsKilled() {
        Reply lease = acquire("20s");
        one.kill();
        continuesAtTheOther(lease);
    }

    @Test
    void ofAServerThatIsStartedAgain() {
        Reply lease = acquire("20s");
        other.kill();
        one.kill();
        other = ServerProcess.start(nodes.uris()); // without any memory of the lease, as the first one would be
        continuesAtTheOther(lease);
    }

    @Test
    void onlyIfTheIdIsTrueAndTheLeaseLives() {
        Reply ended = acquire("20s");
        one.http().release(ended).is(200);
        Reply expired = acquire("1s");
        Awaitility.await()
                .atMost(Http.PATIENCE)
                .until(() -> one.http().get(path(expired)).status() == 410);
        Reply lease = acquire("60s");
        one.kill();
        Http http = other.http();

        http.get(path(ended)).isProblem(410, "lease-ended");
        http.post(path(expired) + "/extend", "{}").isProblem(410, "lease-ended");
        String id = lease.text("id");
        for (int at : new int[] {0, id.length() / 3, id.length() / 2, id.length() - 2}) {
            String changed = id.substring(0, at) + (id.charAt(at) == 'Q' ? 'R' : 'Q') + id.substring(at + 1);
            http.post("/v1/leases/" + changed + "/release", "{}").isProblem(404, "not-found");
        }
        http.get(path(lease)).is(200);
    }

    @Test
    void aServerThatDoesNotKnowTheLeaseNeedsAMajority() {
        Reply lease = acquire("60s");
        nodes.node(0).pause();
        nodes.node(1).pause();
        try {
            other.http().post(path(lease) + "/extend", "{}").isProblem(503, "unconfirmed");
            other.http().get(path(lease)).isProblem(503, "unconfirmed");
        } finally {
            nodes.node(0).resume();
            nodes.node(1).resume();
        }
        Awaitility.await()
                .atMost(Http.PATIENCE)
                .until(() -> other.http().post(path(lease) + "/extend", "{}").status() == 200);
        other.http().release(lease).is(200);
    }
}
