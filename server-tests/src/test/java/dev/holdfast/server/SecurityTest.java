package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Ticker;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityTest {

    private static final String BILLING = "billing-secret-0123456789";
    private static final String SHIPPING = "shipping-secret-0123456789";
    private static final String READER = "reader-secret-0123456789";
    private static final String OPERATOR = "operator-secret-0123456789";

    private LockServer server;
    private Http nobody;
    private Http billing;
    private Http shipping;
    private Http reader;
    private Http operator;

    @BeforeEach
    void start() {
        server = LockServer.builder()
                .host("0.0.0.0")
                .port(0)
                .tokens(List.of(
                        new AccessToken("billing", BILLING, List.of("orders:", "bills:"), Set.of(Right.ACQUIRE)),
                        new AccessToken("shipping", SHIPPING, List.of("orders:"), Set.of(Right.ACQUIRE, Right.READ)),
                        new AccessToken("reader", READER, List.of(""), Set.of(Right.READ)),
                        new AccessToken("operator", OPERATOR, List.of(""), Set.of(Right.ADMIN))))
                .limits(Limits.defaults()
                        .withLongestWait(Duration.ofSeconds(30))
                        .withLeases(3, 2)
                        .withRequestsPerSecond(200))
                .start();
        nobody = new Http(server);
        billing = nobody.with(BILLING);
        shipping = nobody.with(SHIPPING);
        reader = nobody.with(READER);
        operator = nobody.with(OPERATOR);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void withoutATokenThereIsNothingButHealth() {
        nobody.get("/healthz").is(200);
        nobody.get("/readyz").is(200);
        for (Route route : Route.values()) {
            if (route.right != null) {
                String path = route.path.replace("{id}", "a");
                Reply reply = route.method.equals("GET") ? nobody.get(path) : nobody.post(path, "{}");
                assertThat(reply.isProblem(401, "unauthorized")
                                .response()
                                .headers()
                                .firstValue("WWW-Authenticate"))
                        .hasValueSatisfying(value -> assertThat(value).startsWith("Bearer"));
            }
        }
    }

    @Test
    void headIsNoWayAroundThat() {
        for (Route route : Route.values()) {
            if (route.method.equals("GET") && route != Route.EVENTS) {
                Reply head = nobody.send(nobody.request(route.path.replace("{id}", "a"))
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build());
                assertThat(head.status()).as("%s", route).isEqualTo(route.right == null ? 200 : 401);
                assertThat(head.response().headers().firstValue("X-Content-Type-Options"))
                        .contains("nosniff");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", BILLING + "x", "billing", "billing-secret-012345678"})
    void aWrongTokenIsNoToken(String secret) {
        Reply refused = nobody.with(secret).acquire("{'lock':'orders:1'}").isProblem(401, "unauthorized");

        assertThat(refused.response().body()).doesNotContain("secret");
    }

    @Test
    void anotherSchemeIsNoToken() {
        nobody.send(nobody.request("/v1/locks")
                        .header("Authorization", "Basic " + BILLING)
                        .build())
                .isProblem(401, "unauthorized");
        nobody.get("/v1/locks?token=" + READER).isProblem(401, "unauthorized");
    }

    @Test
    void aTokenIsForItsPrefixes() {
        billing.acquire("{'lock':'orders:1'}").is(201);
        billing.acquire("{'lock':'bills:1'}").is(201);
        billing.acquire("{'lock':'order'}").isProblem(403, "forbidden");
        shipping.acquire("{'lock':'bills:2'}").isProblem(403, "forbidden");
        shipping.get("/v1/status?lock=bills:1").isProblem(403, "forbidden");
        shipping.get("/v1/locks").isProblem(403, "forbidden");
        assertThat(shipping.get("/v1/locks?prefix=orders:").is(200).json().get("locks"))
                .hasSize(1);
        assertThat(reader.get("/v1/locks").is(200).json().get("locks")).hasSize(2);
    }

    @Test
    void aTokenHasItsRightsAndNoOther() {
        reader.acquire("{'lock':'orders:1'}").isProblem(403, "forbidden");
        billing.get("/v1/locks?prefix=orders:").isProblem(403, "forbidden");
        operator.get("/v1/nodes").isProblem(403, "forbidden");
        shipping.post("/v1/break", "{'lock':'orders:1','token':1,'reason':'x'}").isProblem(403, "forbidden");
    }

    /** Both may lock it, but a lease is its own client's. */
    @Test
    void theIdOfAnotherClientsLeaseIsOfNoUse() {
        Reply lease = billing.acquire("{'lock':'orders:1'}").is(201);
        String path = "/v1/leases/" + lease.text("id");

        shipping.get(path).isProblem(404, "not-found");
        shipping.post(path + "/extend", "").isProblem(404, "not-found");
        shipping.post(path + "/release", "").isProblem(404, "not-found");
        shipping.post(path + "/seal", "{'retention':'1h'}").isProblem(404, "not-found");
        shipping.post(path + "/value", "{'value':'x'}").isProblem(404, "not-found");

        billing.get(path).is(200);
    }

    @Test
    void theSameKeyOfTwoClientsIsTwoKeys() {
        Reply one = billing.send(billing.posting("/v1/leases", "{'lock':'orders:1','mode':'PR'}")
                .header("Idempotency-Key", "k")
                .build());
        Reply two = shipping.send(shipping.posting("/v1/leases", "{'lock':'orders:1','mode':'PR'}")
                .header("Idempotency-Key", "k")
                .build());

        assertThat(one.is(201).text("id")).isNotEqualTo(two.is(201).text("id"));
    }

    @Test
    void breakingTakesTheExactTokenAndAReason() {
        Reply lease = billing.acquire("{'lock':'orders:1'}").is(201);
        long token = lease.number("token");

        operator.post("/v1/break", "{'lock':'orders:1','token':" + token + "}").isProblem(400, "bad-request");
        operator.post("/v1/break", "{'lock':'orders:1','token':" + token + ",'reason':' '}")
                .isProblem(400, "bad-request");
        operator.post("/v1/break", "{'lock':'orders:1','token':" + (token + 1) + ",'reason':'hangs'}")
                .isProblem(404, "not-found");
        operator.post("/v1/break", "{'lock':'orders:1','token':" + token + ",'reason':'hangs'}")
                .is(200);

        billing.post("/v1/leases/" + lease.text("id") + "/extend", "").isProblem(410, "lease-ended");
        shipping.acquire("{'lock':'orders:1'}").is(201);
    }

    @Test
    void aClientHasALimitOfLeases() {
        for (int i = 0; i < 3; i++) {
            billing.acquire("{'lock':'orders:" + i + "'}").is(201);
        }

        assertThat(billing.acquire("{'lock':'orders:9'}")
                        .isProblem(429, "too-many")
                        .text("detail"))
                .endsWith("has 3 leases and waiting requests, and may have 3.");

        shipping.acquire("{'lock':'orders:9'}").is(201);
    }

    @Test
    void aClientHasALimitOfRequests() {
        AtomicLong now = new AtomicLong();
        RateLimit rate = new RateLimit(10, new Ticker() {
            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        });
        for (int i = 0; i < 20; i++) {
            rate.take("one");
        }
        assertThatThrownBy(() -> rate.take("one")).isInstanceOf(Problem.class);
        rate.take("two");

        now.addAndGet(100_000_000);
        rate.take("one");
        assertThatThrownBy(() -> rate.take("one")).isInstanceOf(Problem.class);
    }

    @Test
    void whoAsksTooOftenIsToldSo() {
        try (LockServer slow = LockServer.builder()
                .port(0)
                .limits(Limits.defaults().withRequestsPerSecond(1))
                .start()) {
            Http http = new Http(slow);

            assertThat(IntStream.range(0, 20).mapToObj(i -> http.get("/")))
                    .anySatisfy(reply -> assertThat(reply.isProblem(429, "too-many")
                                    .response()
                                    .headers()
                                    .firstValue("Retry-After"))
                            .contains("1"));
        }
    }

    /** Behind a load balancer, its checks come from the address of all clients. */
    @Test
    void checksOfTheServersHealthHaveNoLimit() {
        try (LockServer slow = LockServer.builder()
                .port(0)
                .limits(Limits.defaults().withRequestsPerSecond(1))
                .start()) {
            Http http = new Http(slow);

            for (int i = 0; i < 20; i++) {
                http.get("/v1/nodes");
                http.get("/healthz").is(200);
                http.get("/readyz").is(200);
            }
        }
    }

    @Test
    void otherMachinesAreLetInWithTokensOnly() {
        assertThatThrownBy(() -> LockServer.builder().host("0.0.0.0").port(0).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no tokens");
        try (LockServer open =
                LockServer.builder().host("0.0.0.0").port(0).insecure(true).start()) {
            new Http(open).acquire("{'lock':'a'}").is(201);
        }
    }

    // ---- tokens that change

    @Test
    void tokensChangeWhileTheServerRuns() throws Exception {
        AccessToken first = new AccessToken("one", BILLING, List.of(""), Set.of(Right.READ, Right.ACQUIRE));
        AccessToken second = new AccessToken("one", SHIPPING, List.of(""), Set.of(Right.READ, Right.ACQUIRE));
        AccessToken less = new AccessToken("one", SHIPPING, List.of("a"), Set.of(Right.ACQUIRE));
        AtomicReference<List<AccessToken>> now = new AtomicReference<>(List.of(first));
        try (LockServer changing = LockServer.builder().port(0).tokens(now::get).start();
                Socket events = new Socket(changing);
                Socket more = new Socket(changing)) {
            Http http = new Http(changing);
            Reply lease = http.with(BILLING).acquire("{'lock':'b'}").is(201);
            events.write("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + BILLING + "\r\n\r\n");
            assertThat(events.readSome()).contains("200");

            now.set(List.of(second));
            changing.reload();

            http.with(BILLING).get("/v1/locks").isProblem(401, "unauthorized");
            http.with(SHIPPING).get("/v1/locks").is(200);
            http.with(SHIPPING).get("/v1/leases/" + lease.text("id")).is(200); // the client is the same
            assertThat(assertTimeoutPreemptively(Http.PATIENCE, events::readAll))
                    .as("what was let in by the former secret is cut")
                    .doesNotContain("HTTP/1.1");
            more.write("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + SHIPPING + "\r\n\r\n");
            assertThat(more.readSome()).contains("200");
            now.set(List.of(less));
            changing.reload();
            assertThat(assertTimeoutPreemptively(Http.PATIENCE, more::readAll))
                    .as("what was let in to more than now is cut")
                    .doesNotContain("HTTP/1.1");
            http.with(SHIPPING).get("/v1/locks").isProblem(403, "forbidden");

            try (LogRecorder log = new LogRecorder(ServerLogger.NAME)) {
                now.set(List.of());
                changing.reload();
                now.set(List.of(first, second));
                changing.reload();
                assertThat(log.lines()).hasSize(2).anyMatch(line -> line.contains("no tokens any more"));
            }
            http.with(SHIPPING).acquire("{'lock':'a'}").is(201);
            http.get("/v1/leases/a").isProblem(401, "unauthorized");
        }
    }

    @Test
    void tokensThatAreWrongForAWhileAreReportedAsRightAgain() {
        AccessToken right = new AccessToken("one", READER, List.of(""), Set.of(Right.READ));
        AtomicReference<List<AccessToken>> now = new AtomicReference<>(List.of(right));
        try (LockServer changing = LockServer.builder().port(0).tokens(now::get).start()) {
            Http http = new Http(changing).with(READER);
            String failed = "holdfast_server_reload_failed{what=\"tokens\"} ";
            now.set(List.of());
            changing.reload();
            assertThat(http.get("/metrics").is(200).response().body()).contains(failed + "1.0");

            now.set(List.of(right));
            changing.reload();
            assertThat(http.get("/metrics").is(200).response().body()).contains(failed + "0.0");
        }
    }

    // ---- tokens as they are written

    private static Map<String, String> lines(String... keysAndValues) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            lines.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return lines;
    }

    @Test
    void tokensAreReadFromSettings() {
        List<AccessToken> tokens = TokenSettings.parse(lines(
                "token.billing.secret", BILLING,
                "token.billing.prefixes", "orders: bills:",
                "token.billing.rights", "acquire, read",
                "token.op.secret", OPERATOR,
                "token.op.prefixes", "*",
                "token.op.rights", "ADMIN"));

        assertThat(tokens).hasSize(2);
        assertThat(tokens.get(0).caller().prefixes()).containsExactly("orders:", "bills:");
        assertThat(tokens.get(0).caller().rights()).containsExactlyInAnyOrder(Permission.ACQUIRE, Permission.READ);
        assertThat(tokens.get(1).caller().covers("anything")).isTrue();
        assertThat(tokens.toString()).doesNotContain("secret-");
    }

    @Test
    void whatIsWrongWithATokenIsSaidWithoutItsSecret() {
        for (Map<String, String> wrong : List.of(
                lines("token.a.secret", BILLING),
                lines("token.a.secret", BILLING, "token.a.prefixes", "*"),
                lines("token.a.secret", BILLING, "token.a.prefixes", "*", "token.a.rights", "all"),
                lines("token.a.secret", "secret-short", "token.a.prefixes", "*", "token.a.rights", "read"),
                lines("token.a.secret", BILLING + " \u0007", "token.a.prefixes", "*", "token.a.rights", "read"),
                lines("token.a b.secret", BILLING, "token.a b.prefixes", "*", "token.a b.rights", "read"),
                lines("token.a.colour", "red"),
                lines("token.secret", BILLING))) {
            assertThatThrownBy(() -> TokenSettings.parse(wrong))
                    .as("%s", wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContain("secret-");
        }
    }

    @Test
    void twoTokensAreNotTheSame() {
        AccessToken one = new AccessToken("one", BILLING, List.of(""), Set.of(Right.READ));
        AccessToken two = new AccessToken("two", BILLING, List.of(""), Set.of(Right.READ));

        assertThatThrownBy(() -> LockServer.builder().tokens(List.of(one, two)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same secret");
    }
}
