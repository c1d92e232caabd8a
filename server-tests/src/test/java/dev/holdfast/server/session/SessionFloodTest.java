package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import dev.holdfast.server.socket.SocketBudget;
import dev.holdfast.server.socket.SocketWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with many WebSockets, or with very many messages, leaves memory and processor time to other clients. */
@Tag("slow")
class SessionFloodTest {

    private static final int MESSAGE_PARTS = 240;
    private static final String PART = "x".repeat(1_000);
    private static final String SECRET = "one-one-one-one-one-one";
    private static final Map<String, String> HEADERS = Map.of("Authorization", "Bearer " + SECRET);

    private static LockServer start(Limits limits) {
        return LockServer.builder()
                .port(0)
                .limits(limits)
                .tokens(List.of(
                        new AccessToken("one", SECRET, List.of(""), Set.of(Right.ACQUIRE)),
                        new AccessToken("two", "two-two-two-two-two-two", List.of(""), Set.of(Right.ACQUIRE))))
                .start();
    }

    private static void isUsable(LockServer server) {
        new Http(server)
                .with("two-two-two-two-two-two")
                .acquire("{'lock':'of another client'}")
                .is(201);
    }

    /** The server would keep 24 MB for these: each may have a message of 256 KiB of which the end is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/session", "/v1/node"})
    void theUnfinishedMessagesOfAClientHaveOneLimit(String path) {
        List<SessionClient> clients = new ArrayList<>();
        try (LockServer server = start(Limits.defaults())) {
            int enough = SocketBudget.MOST_CHARS / (MESSAGE_PARTS * PART.length()) + 30;
            for (int i = 0; i < enough; i++) {
                SessionClient client = SessionClient.connect(server, path, HEADERS);
                clients.add(client);
                CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
                for (int part = 0; part < MESSAGE_PARTS; part++) {
                    sent = sent.thenCompose(done -> client.socket().sendText(PART, false));
                }
            }

            await().atMost(Http.PATIENCE)
                    .until(() ->
                            clients.stream().filter(SessionClient::isClosed).count() > 10);
            assertThat(clients.stream().filter(client -> !client.isClosed()).count())
                    .isGreaterThan(10);
            isUsable(server);
            try (SessionClient small = SessionClient.connect(server, "/v1/session", HEADERS)) {
                assertThat(small.ask("hello", "").get("answer").stringValue()).isEqualTo("hello");
            }
        } finally {
            clients.forEach(SessionClient::close);
        }
    }

    /** Refusals cost the server time too, and nothing limited them. */
    @Test
    void aSessionThatGoesFarBeyondItsRateIsEnded() {
        try (LockServer server = start(Limits.defaults().withRequestsPerSecond(20));
                SessionClient client = SessionClient.connect(server, "/v1/session", HEADERS)) {
            client.ask("hello", "");

            String problem = "";
            for (int i = 0; i < 60 && problem.isEmpty(); i++) {
                if (client.ask("alive", "").has("problem")) {
                    problem = "too-many";
                }
            }
            assertThat(problem).isEqualTo("too-many");
            assertThat(client.isClosed()).isFalse();

            client.send("{\"id\":7,\"op\":\"alive\"}\n".repeat(500));
            assertThat(client.closedWith()).isEqualTo(SocketWriter.POLICY);
            assertThat(client.told()).hasSizeLessThan(200);
            isUsable(server);
        }
    }

    /** A message with the id of one that is not answered yet was refused outside of the rate. */
    @Test
    void messagesWithAnIdInUseCountToo() {
        try (LockServer server = start(Limits.defaults().withRequestsPerSecond(20));
                SessionClient holder = SessionClient.connect(server, "/v1/session", HEADERS);
                SessionClient client = SessionClient.connect(server, "/v1/session", HEADERS)) {
            holder.ask("hello", "");
            holder.acquire("'lock':'a','ttl':'1h'");
            client.ask("hello", "");
            client.askAsync("acquire", "'lock':'a','wait':'25s'");

            client.send(("{\"id\":" + client.lastId() + ",\"op\":\"alive\"}\n").repeat(500));
            assertThat(client.closedWith()).isEqualTo(SocketWriter.POLICY);
        }
    }
}
