package dev.holdfast.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LogRecorder;
import dev.holdfast.server.Right;
import dev.holdfast.server.Socket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server's log of its requests, and the secrets that it never contains. */
class LogsTest {

    private static final String BILLING = "secret-of-billing-0123456789";
    private static final String READER = "secret-of-reader-0123456789";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private Path access;
    private Path audit;
    private LockServer server;
    private Http http;
    private final AtomicReference<List<AccessToken>> tokens = new AtomicReference<>();

    @BeforeEach
    void start() {
        access = folder.resolve("access.log");
        audit = folder.resolve("audit.log");
        tokens.set(List.of(
                new AccessToken("billing", BILLING, List.of("orders:"), Set.of(Right.ACQUIRE, Right.ADMIN)),
                new AccessToken("reader", READER, List.of(""), Set.of(Right.READ))));
        server = LockServer.builder()
                .port(0)
                .tokens(tokens::get)
                .accessLog(access)
                .auditLog(audit)
                .start();
        http = new Http(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static List<JsonNode> lines(Path file) {
        try {
            return Files.exists(file)
                    ? Files.readString(file).lines().map(JSON::readTree).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> awaitLines(Path file, int count) {
        Awaitility.await(count + " lines in " + file)
                .atMost(Http.PATIENCE)
                .until(() -> lines(file).size() >= count);
        return lines(file);
    }

    private static JsonNode last(Path file, int count) {
        return awaitLines(file, count).get(count - 1);
    }

    @Test
    void aLineOfTheAccessLogSaysWhoAskedWhatAndNothingMore() {
        http.with(BILLING).acquire("{'lock':'orders:1','wait':'1s'}").is(201);

        JsonNode line = last(access, 1);

        assertThat(line.propertyNames()).containsExactly("at", "client", "method", "route", "status", "millis");
        assertThat(line.get("at").stringValue()).matches("20..-..-..T..:..:.*Z");
        assertThat(line.get("client").stringValue()).isEqualTo("billing");
        assertThat(line.get("method").stringValue()).isEqualTo("POST");
        assertThat(line.get("route").stringValue()).isEqualTo("/v1/leases");
        assertThat(line.get("status").intValue()).isEqualTo(201);
        assertThat(line.get("millis").longValue()).isBetween(0L, 30_000L);
    }

    @Test
    void timesHaveMillisecondsAlsoAtAFullSecond() {
        assertThat(LineLog.time(1_000)).isEqualTo("1970-01-01T00:00:01.000Z");
        assertThat(LineLog.time(1_056)).isEqualTo("1970-01-01T00:00:01.056Z");
    }

    @Test
    void noIdNoSecretAndNothingOfAQueryIsInALog() throws Exception {
        Reply lease = http.with(BILLING)
                .acquire("{'lock':'orders:1','value':'the value'}")
                .is(201);
        http.with(BILLING).get("/v1/leases/" + lease.text("id")).is(200);
        http.with(BILLING).release(lease).is(200);
        http.with(READER).get("/v1/locks?prefix=asked-for").is(200);
        http.get("/v1/locks?token=" + READER).is(401);
        http.get("/no/such/path-" + READER).is(404);
        http.with("wrong-" + BILLING).get("/v1/nodes").is(401);
        awaitLines(access, 7);
        awaitLines(audit, 2); // of refusals without a token the first

        assertThat(Files.readString(access) + Files.readString(audit))
                .doesNotContain(lease.text("id"), "secret-of", "the value", "asked-for", "such/path");
        assertThat(lines(access))
                .extracting(line -> line.get("route").stringValue())
                .contains("/v1/leases/{id}", "none");
    }

    @Test
    void whatIsNoHttpIsALineTooAndOneOnly() throws Exception {
        for (String bad : List.of("GET / HTTP/9.9\r\n\r\n", "\"}\n{\"event\":\"x\" / HTTP/1.1\r\nHost: a\r\n\r\n")) {
            try (Socket socket = new Socket(server)) {
                socket.write(bad);
                socket.readAll();
            }
        }
        http.send(http.request("/healthz")
                        .method("BREW" + "x".repeat(100), HttpRequest.BodyPublishers.noBody())
                        .build())
                .is(405);

        assertThat(awaitLines(access, 3)).hasSize(3).allSatisfy(line -> {
            assertThat(line.get("status").intValue()).isBetween(400, 505);
            assertThat(line.get("method").stringValue()).hasSizeLessThan(30);
        });
    }

    @Test
    void theAuditSaysWhoBrokeWhatAndWhy() {
        Reply lease = http.with(BILLING).acquire("{'lock':'orders:1'}").is(201);
        String body =
                "{'lock':'orders:1','token':" + lease.number("token") + ",'reason':'it hangs\\n{\\\"event\\\":1}'}";

        http.with(BILLING).post("/v1/break", body).is(200);

        JsonNode line = last(audit, 2);
        assertThat(line.get("event").stringValue()).isEqualTo("break");
        assertThat(line.get("client").stringValue()).isEqualTo("billing");
        assertThat(line.get("lock").stringValue()).isEqualTo("orders:1");
        assertThat(line.get("token").longValue()).isEqualTo(lease.number("token"));
        assertThat(line.get("reason").stringValue()).startsWith("it hangs\\u000A{");
        assertThat(line.get("outcome").stringValue()).isEqualTo("broken");

        http.with(BILLING).post("/v1/break", body).isProblem(404, "not-found");
        assertThat(last(audit, 3).get("outcome").stringValue()).isEqualTo("not-found");
    }

    @Test
    void theAuditNamesWhoWasRefused() {
        http.get("/v1/nodes").isProblem(401, "unauthorized");
        awaitLines(audit, 2);
        http.with(READER).acquire("{'lock':'orders:1'}").isProblem(403, "forbidden");
        awaitLines(audit, 3);
        http.with(BILLING).acquire("{'lock':'other\\u2028:1'}").isProblem(403, "forbidden");

        List<JsonNode> lines = awaitLines(audit, 4);
        assertThat(lines.get(1).get("client").isNull()).isTrue();
        assertThat(lines.get(1).get("address").stringValue()).isEqualTo("127.0.0.1");
        assertThat(lines.get(1).get("route").stringValue()).isEqualTo("/v1/nodes");
        assertThat(lines.get(2).get("client").stringValue()).isEqualTo("reader");
        assertThat(lines.get(2).get("why").stringValue()).contains("right 'acquire'");
        assertThat(lines.get(3).get("client").stringValue()).isEqualTo("billing");
        assertThat(lines.get(3).get("why").stringValue())
                .contains("begin with [orders:]")
                .doesNotContain("\u2028");
    }

    /** Anybody can cause refusals: 1,000 of them are two lines. Requests with known tokens stay a line each. */
    @Test
    void refusalsWithoutATokenAreCountedTogether() {
        for (int i = 0; i < 1_000; i++) {
            http.get("/v1/nodes").is(401);
        }
        http.with(READER).acquire("{'lock':'orders:1'}").is(403);
        http.with(READER).acquire("{'lock':'orders:1'}").is(403);
        server.close();

        List<JsonNode> lines = lines(audit);
        assertThat(lines)
                .extracting(line -> line.get("event").stringValue())
                .containsExactlyInAnyOrder("started", "refused", "refused", "refused", "stopped", "refused-more");
        assertThat(lines.stream().filter(line -> line.get("event").stringValue().equals("refused-more")))
                .singleElement()
                .satisfies(line -> assertThat(line.get("address").stringValue()).isEqualTo("127.0.0.1"))
                .satisfies(line -> assertThat(line.get("count").longValue()).isEqualTo(999));
    }

    @Test
    void theAuditHasStartStopAndChanges() {
        tokens.set(List.of());
        server.reload();
        tokens.set(List.of(new AccessToken("billing", BILLING, List.of("orders:"), Set.of(Right.ACQUIRE))));
        server.reload();
        http.with(BILLING).acquire("{'lock':'orders:1'}").is(201);
        server.close();

        List<JsonNode> lines = lines(audit); // all of them, once it is closed
        assertThat(lines)
                .extracting(line -> line.get("event").stringValue())
                .containsExactly("started", "reloaded", "reloaded", "stopped");
        assertThat(lines.get(0).get("tokens")).hasSize(2);
        assertThat(lines.get(0).get("uri").stringValue()).isEqualTo(server.uri().toString());
        assertThat(lines.get(1).get("outcome").stringValue()).isEqualTo("refused");
        assertThat(lines.get(2).get("outcome").stringValue()).isEqualTo("done");
        assertThat(lines.get(3).get("leasesLeft").intValue()).isEqualTo(1);
    }

    @Test
    void withoutAFileItGoesToALogger() {
        try (LogRecorder log = new LogRecorder(AuditLog.LOGGER);
                LogRecorder requests = new LogRecorder(AccessLog.LOGGER);
                LockServer other = LockServer.builder().port(0).start()) {
            new Http(other).get("/healthz").is(200);

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("INFO {")
                    .contains("started");
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> requests.lines().size() == 1);
            assertThat(requests.lines().get(0)).startsWith("FINE {").contains("/healthz");
        }
    }

    @Test
    void whereTheFileIsMovedAwayANewOneIsBegun() throws Exception {
        http.get("/healthz").is(200);
        awaitLines(access, 1);
        Path moved = Files.move(access, folder.resolve("access.log.1"));

        http.get("/healthz").is(200);

        assertThat(awaitLines(access, 1)).hasSize(1);
        assertThat(lines(moved)).hasSize(1);
    }

    @Test
    void whatCantBeWrittenIsCountedAndTheServerServesOn() throws Exception {
        Path place = Files.createDirectory(folder.resolve("place"));
        try (LockServer other =
                LockServer.builder().port(0).accessLog(place.resolve("a.log")).start()) {
            Http there = new Http(other);
            Files.delete(place.resolve("a.log"));
            Files.delete(place);
            there.get("/healthz").is(200);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> there.get("/metrics")
                            .response()
                            .body()
                            .matches("(?s).*log_lines_lost_total\\{log=\"access\"} [1-9].*"));

            Files.createDirectory(place);
            there.get("/healthz").is(200);
            awaitLines(place.resolve("a.log"), 1);
        }
    }

    @Test
    void aFileThatCantBeMadeIsSaidAtTheStart() {
        assertThatThrownBy(() -> LockServer.builder().port(0).auditLog(folder).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(folder.toString());
    }
}
