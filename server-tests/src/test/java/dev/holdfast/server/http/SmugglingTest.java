package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.LockServer;
import dev.holdfast.server.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests of which two servers might not agree where they end (RFC 9112 §6, §11.2). The server must never read the rest as a request, because a proxy in
 * front may have read it as the body of another client's request.
 */
class SmugglingTest {

    private static final String HIDDEN =
            "POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"lock\":\"hidden\"}";

    private static LockServer server;

    @BeforeAll
    static void start() {
        server = LockServer.builder()
                .port(0)
                .idleTimeout(java.time.Duration.ofSeconds(2))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
                "Content-Length: 0\r\nContent-Length: 153\r\n\r\n",
                "Content-Length: 153\r\nContent-Length: 0\r\n\r\n",
                "Content-Length: 0, 153\r\n\r\n",
                "Content-Length: +0\r\n\r\n",
                "Content-Length: -1\r\n\r\n",
                "Content-Length: 0x0\r\n\r\n",
                "Content-Length: 0 0\r\n\r\n",
                "Content-Length: 99999999999999999999\r\n\r\n",
                "Content-Length : 0\r\n\r\n",
                " Content-Length: 0\r\n\r\n",
                "Content-Length: 153\r\n folded\r\n\r\n",
                "X: y\r\n\tTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: identity\r\n\r\n",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n",
                "X: a\rContent-Length: 0\r\n\r\n",
                "X: a\0b\r\n\r\n",
                ": no name\r\n\r\n",
                "No colon\r\n\r\n",
            })
    void nothingBehindADoubtfulEndIsARequest(String doubtful) throws Exception {
        try (Socket socket = new Socket(server)) {
            socket.write("POST /v1/break HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + doubtful
                    + HIDDEN);

            String answers = socket.readAll();

            assertThat(answers).startsWith("HTTP/1.1 4").doesNotContain("hidden", "HTTP/1.1 2", "Exception", "jetty");
            assertThat(answers.split("HTTP/1\\.1 ", -1)).as(answers).hasSize(2);
        }
        assertThat(server.leases()).isZero();
    }
}
