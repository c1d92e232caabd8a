package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no honest client sends: the server rejects them clearly, shows no internals, and leaves nothing behind. */
class HostileInputTest {

    private static LockServer server;
    private static Http http;

    @BeforeAll
    static void start() {
        server = LockServer.builder().port(0).idleTimeout(Duration.ofSeconds(5)).start();
        http = new Http(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void theServerIsWellAndHoldsNothing() {
        http.get("/healthz").is(200);
        assertThat(server.leases()).isZero();
        assertThat(server.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'lock':'a','ttl':'x'}",
                "{'lock':'a','ttl':30}",
                "{'lock':'a','ttl':'-5s'}",
                "{'lock':'a','ttl':'1ms'}",
                "{'lock':'a','ttl':'25h'}",
                "{'lock':'a','ttl':'99999999999999999d'}",
                "{'lock':'a','wait':'2h'}",
                "{'lock':'a','label':''}",
                "{'lock':'a','label':'  '}",
                "{'lock':'a','label':'a\\u200db'}",
                "{'lock':'a','wait':'1.00001s'}",
                "{'lock':'a','mode':'XX'}",
                "{'lock':'a','mode':1}",
                "{'lock':''}",
                "{'lock':null}",
                "{'lock':['a']}",
                "{'lock':{'a':'b'}}",
                "{'lock':7}",
                "{'lock':'a','lock':'b'}",
                "{'lock':'a'} {'lock':'b'}",
                "{'lock':'a\\u0000b'}",
                "{'lock':'a\\r\\nSet-Cookie: x'}",
                "{'lock':'a\\ud800'}",
                "{'lock':'{}a'}",
                "{'ttl':'30s'}",
                "{}",
                "",
                "[]",
                "'text'",
                "nonsense",
                "{'lock':",
                "{'lock':'a','value':7}",
            })
    void isRefused(String json) {
        http.acquire(json).isProblem(400, "bad-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00f4\u0090\u0080\u0080"})
    void bytesThatAreNotUtf8AreRefused(String bytes) throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.post("/v1/leases", "{\"lock\":\"a" + bytes + "\"}");
            assertThat(socket.readSome()).startsWith("HTTP/1.1 400 ").contains("UTF-8");
        }
    }

    /** If the server closes the connection first, there is no answer. */
    @Test
    void aBodyThatDoesNotArriveIsNotCalledMalformed() throws Exception {
        try (LockServer other = LockServer.builder()
                        .port(0)
                        .idleTimeout(Duration.ofSeconds(2))
                        .start();
                Socket late = new Socket(other)) {
            late.write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
            assertThat(late.readAll()).doesNotContain("malformed");
        }
        try (LockServer other = LockServer.builder().port(0).start();
                Socket cut = new Socket(other)) {
            cut.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(cut.readSome()).startsWith("HTTP/1.1 200 ");
            cut.write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
            other.close();
            assertThat(cut.readAll()).doesNotContain("malformed");
        }
    }

    @Test
    void anUnknownFieldIsRefusedByItsName() {
        Reply refused = http.acquire("{'lock':'a','tll':'30s'}").isProblem(400, "bad-request");

        assertThat(refused.text("detail")).contains("'tll'", "lock, mode, ttl, wait, value");
    }

    @Test
    void anUnknownParameterIsRefusedByItsName() {
        assertThat(http.get("/v1/locks?perfix=a").isProblem(400, "bad-request").text("detail"))
                .contains("'perfix'");
        http.get("/v1/locks?limit=1&limit=2").isProblem(400, "bad-request");
        http.get("/v1/locks?limit=0").isProblem(400, "bad-request");
        http.get("/v1/locks?limit=1001").isProblem(400, "bad-request");
        http.get("/v1/status").isProblem(400, "bad-request");
        assertThat(http.get("/v1/history?lock=").isProblem(400, "bad-request").text("detail"))
                .isEqualTo("The parameter 'lock' is empty.");
        assertThat(http.get("/v1/history?lock=a&from=5&to=3")
                        .isProblem(400, "bad-request")
                        .text("detail"))
                .isEqualTo("The parameter 'from' is 5, but must not be later than 'to', 3.");
        http.get("/v1/history?lock=a&from=5&to=5").is(200);
    }

    @Test
    void deepNestingIsRefused() {
        http.acquire("{'lock':" + "[".repeat(8_000) + "]".repeat(8_000) + "}").isProblem(400, "bad-request");
        http.acquire("{'a':".repeat(2_000)).isProblem(400, "bad-request");
    }

    @Test
    void tenMebibytesAreRefused() throws Exception {
        String large = "x".repeat(10 << 20);
        try (Socket socket = new Socket(server)) {
            socket.write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + large.length() + "\r\n\r\n" + large.substring(0, 70_000));

            assertThat(socket.readAll()).startsWith("HTTP/1.1 413").contains("urn:holdfast:problem:too-large");
        }
        try (Socket socket = new Socket(server)) { // chunked, of a length that is not declared
            socket.write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                    + ("1000\r\n" + "x".repeat(4096) + "\r\n").repeat(20));

            assertThat(socket.readAll()).startsWith("HTTP/1.1 413").contains("urn:holdfast:problem:too-large");
        }
    }

    /** More of them than the server has threads. */
    @Test
    void bodiesThatNeverEndHoldUpNobody() throws Exception {
        Socket[] slow = new Socket[200];
        try (LockServer patient =
                LockServer.builder().port(0).idleTimeout(Duration.ofMinutes(1)).start()) {
            Http there = new Http(patient);
            for (int i = 0; i < slow.length; i++) {
                slow[i] = new Socket(patient);
                slow[i].write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1000\r\n\r\n{");
            }

            there.send(there.request("/healthz").timeout(Duration.ofSeconds(15)).build())
                    .is(200);
        } finally {
            for (Socket socket : slow) {
                if (socket != null) {
                    socket.close();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "../../etc/passwd", "..", "a b", "a?b#c%00", "<script>", "ä€😀", "a;b=c&d"})
    void strangeNamesAreNamesAllTheSame(String name) {
        Reply lease = http.acquire("{'lock':'" + name + "'}").is(201);

        assertThat(lease.text("lock")).isEqualTo(name);
        assertThat(http.get("/v1/status?lock=" + Http.encoded(name))
                        .is(200)
                        .json()
                        .get("holders"))
                .hasSize(1);
        assertThat(http.get("/v1/locks?prefix=" + Http.encoded(name)).json().get("locks"))
                .hasSize(1);
        http.release(lease).is(200);
    }

    @Test
    void aNameMayBeLongButNotTooLong() {
        Reply lease = http.acquire("{'lock':'" + "n".repeat(1_000) + "'}").is(201);
        http.release(lease);
        http.acquire("{'lock':'" + "n".repeat(1_025) + "'}").isProblem(400, "bad-request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../healthz",
                "/v1/%2e%2e/healthz",
                "/v1/leases/%00",
                "/v1/leases/a%2fb",
                "/v1/leases/..%2f..",
                "/v1/leases/;x",
                "//healthz/..;/",
                "/%",
                "/v1/status?lock=%zz",
                "/v1/status?lock=%ff",
            })
    void strangePathsAreProblems(String path) throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertThat(socket.readAll())
                    .startsWith("HTTP/1.1 4")
                    .contains("application/problem+json")
                    .doesNotContain("Exception", "\tat ", "jetty", "Jetty");
        }
    }

    @Test
    void headersCantBeInjected() throws Exception {
        for (String request : new String[] {
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\0c\r\nConnection: close\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: close\r\n\r\n",
            "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n",
            "GET  /healthz\r\n\r\n",
            "\0\0\0\0\r\n\r\n",
            "POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(40_000) + "\r\n\r\n",
        }) {
            try (Socket socket = new Socket(server)) {
                socket.write(request);
                String answer = socket.readAll();
                assertThat(answer.isEmpty() || answer.matches("(?s)HTTP/1.1 (4\\d\\d|505) .*"))
                        .as("%s -> %s", request.substring(0, Math.min(request.length(), 90)), answer)
                        .isTrue();
                assertThat(answer).doesNotContain("Exception", "\tat ", "Jetty");
            }
        }
        for (String key : new String[] {"a b", "x".repeat(256)}) {
            http.send(http.posting("/v1/leases", "{'lock':'a'}")
                            .header("Idempotency-Key", key)
                            .build())
                    .isProblem(400, "bad-request");
        }
    }

    @Test
    void unknownPathsAndMethodsAndForms() {
        http.get("/dashboard").isProblem(404, "not-found");
        http.post("/", "{}").isProblem(405, "method-not-allowed");
        http.get("/v2/leases").isProblem(404, "not-found");
        http.get("/v1/leases/" + "a".repeat(32)).isProblem(404, "not-found");
        Reply method = http.get("/v1/leases").isProblem(405, "method-not-allowed");
        assertThat(method.response().headers().firstValue("Allow")).contains("POST");
        HttpRequest form = http.request("/v1/leases")
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{\"lock\":\"a\"}"))
                .build();
        http.send(form).isProblem(415, "unsupported-media-type");
        http.send(http.request("/healthz").header("Accept", "text/html").build())
                .isProblem(406, "not-acceptable");
        http.send(http.request("/healthz")
                        .header("Accept", "application/json;q=0, text/*")
                        .build())
                .isProblem(406, "not-acceptable");
        http.send(http.request("/healthz")
                        .header("Accept", "text/html, */*;q=0.1")
                        .build())
                .is(200);
        http.send(http.request("/healthz")
                        .header("Accept", "text/html")
                        .header("Accept", "application/*;q=0.1;v=1")
                        .build())
                .is(200);
        http.send(http.request("/healthz").header("Accept", ";").build()).isProblem(406, "not-acceptable");
        http.send(http.request("/v1/leases")
                        .method("BREW", HttpRequest.BodyPublishers.noBody())
                        .build())
                .isProblem(405, "method-not-allowed");
    }

    /** An error in one request must not affect the next request of the connection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "GET /v1/status?lock=%zz|400|'lock' is not percent-encoded",
                "GET /v1/status?lock=%c3%28|400|'lock' is not percent-encoded",
                "GET /v1/status?lock=%|400|'lock' is not percent-encoded",
                "GET /v1/%zz|400|'%' without two hexadecimal digits",
                "HEAD /v1/%zz|400|",
                "GET /%|400|'%' without two hexadecimal digits",
                "POST /v1/leases/%00|400|'%00'",
                "GET /v1/%2e%2e/healthz|404|nothing at this path",
                "GET /v1/nothing|404|nothing at this path",
                "POST /healthz|405|takes GET, HEAD only",
                "HEAD /v1/nothing|404|",
                "HEAD /v1/events|405|",
                "HEAD /v1/status?lock=%zz|400|",
                "HEAD /healthz|200|"
            })
    void theNextRequestOfTheConnectionIsAnsweredAllTheSame(String line, int status, String detail) throws Exception {
        try (Socket socket = new Socket(server)) {
            String length = line.startsWith("POST") ? "Content-Length: 0\r\n" : "";
            socket.write(line + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n"
                    + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            String answers = socket.readAll();

            assertThat(answers).startsWith("HTTP/1.1 " + status + " ").endsWith("{\"status\":\"up\"}");
            assertThat(answers.split("HTTP/1\\.1 ", -1)).as(answers).hasSize(3);
            assertThat(answers).contains(detail == null ? "" : detail);
        }
    }

    /** The web server reads no further after such a line. A client must know that before it sends its next request. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /a\0z HTTP/1.1", "GET [/a HTTP/1.1", "G(T /a HTTP/1.1", "HEAD /a HTTP/1.1\r\nHost: b"})
    void aConnectionThatIsNotReadOnIsClosed(String line) throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write(line + "\r\nHost: localhost\r\n\r\n");

            String answer = socket.readAll();
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Connection: close");
            assertThat(answer).endsWith(line.startsWith("HEAD") ? "\r\n\r\n" : "}");
        }
    }

    @Test
    void anUnknownExpectationIsNamed() throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.post("/v1/leases", "{}", "Expect: 200-ok");
            assertThat(socket.readSome()).startsWith("HTTP/1.1 417 ").contains("'Expect'");
        }
    }

    @Test
    void anUnknownTransferCodingIsRefused() throws Exception {
        for (String coding : new String[] {"gzip, chunked", "GZIP\r\nTransfer-Encoding: chunked"}) {
            try (Socket socket = new Socket(server)) {
                socket.write("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: " + coding + "\r\n\r\nc\r\n{\"lock\":\"a\"}\r\n0\r\n\r\n");
                assertThat(socket.readAll())
                        .startsWith("HTTP/1.1 501 ")
                        .contains("urn:holdfast:problem:not-implemented", "'Transfer-Encoding'");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|400|'Sec-WebSocket-Version' is missing; send 13",
                "Sec-WebSocket-Version: 13|400|'Sec-WebSocket-Key' is missing",
                "Sec-WebSocket-Version: 13; Sec-WebSocket-Key: x|400|'Sec-WebSocket-Key' is 'x'; it must be 16",
                "Sec-WebSocket-Version: 13; Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==; Origin: http://evil|403|urn:holdfast:problem:foreign-origin"
            })
    void aWrongHandshakeIsToldWhatIsWrong(String headers, int status, String told) throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write("GET /v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + headers.replace("; ", "\r\n") + "\r\n\r\n");
            assertThat(socket.readSome()).startsWith("HTTP/1.1 " + status + " ").contains(told);
        }
    }

    /** The replacement character is a character like others, unless this server had to put it in. */
    @Test
    void aNameMayHaveTheReplacementCharacter() {
        Reply lease = http.acquire("{'lock':'a\uFFFDb'}").is(201);
        http.get("/v1/status?lock=a%ef%bf%bdb").is(200);
        http.release(lease).is(200);
    }

    @Test
    void encodedBodiesAreRefusedAsSuch() throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.post("/v1/leases", "{\"lock\":\"a\"}", "Content-Encoding: gzip");
            assertThat(socket.readSome()).startsWith("HTTP/1.1 415 ").contains("Accept-Encoding: identity", "'gzip'");
        }
    }

    @Test
    void unknownVersionsAreNamed() throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write("GET /healthz HTTP/3.7\r\nHost: localhost\r\n\r\n");
            assertThat(socket.readAll()).matches("(?s)HTTP/1.1 (400|505) .*version of HTTP.*");
        }
        try (Socket socket = new Socket(server)) {
            socket.write("GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n");
            assertThat(socket.readAll()).startsWith("HTTP/1.1 505 ").contains("version of HTTP");
        }
        try (Socket socket = new Socket(server)) { // the preface of HTTP/2 without a negotiation
            socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            assertThat(socket.readAll()).startsWith("HTTP/1.1 505 ").contains("send HTTP/1.1");
        }
        try (Socket socket = new Socket(server)) {
            socket.write("GET /v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            assertThat(socket.readSome())
                    .startsWith("HTTP/1.1 426 ")
                    .contains("Sec-WebSocket-Version: 13", "version 12");
        }
    }

    /** A page in a browser may ask for anything under a name that it makes point here. */
    @Test
    void anotherNameIsNotThisServer() throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write("GET /v1/locks HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");

            assertThat(socket.readAll()).startsWith("HTTP/1.1 421").contains("urn:holdfast:problem:misdirected");
        }
    }

    @Test
    void answersAreForNoOtherOriginAndNotKept() {
        Reply reply = http.send(http.request("/healthz")
                .header("Origin", "https://evil.example")
                .build());

        assertThat(reply.response().headers().map())
                .containsKeys("cache-control", "content-security-policy", "x-content-type-options")
                .doesNotContainKeys("access-control-allow-origin", "server", "set-cookie");
    }
}
