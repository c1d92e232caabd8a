package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A WebSocket client that knows nothing of the server but its address and its JSON. */
public final class SessionClient implements WebSocket.Listener, AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<JsonNode> told = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private volatile boolean deaf;
    private final StringBuilder part = new StringBuilder();
    private CompletableFuture<WebSocket> sent;
    private @Nullable WebSocket socket;

    private SessionClient() {
        sent = new CompletableFuture<>();
    }

    static SessionClient connect(LockServer server) {
        return connect(server, "/v1/session", Map.of());
    }

    public static SessionClient connect(LockServer server, String path, Map<String, String> headers) {
        return connect(server.uri(), path, headers);
    }

    public static SessionClient connect(URI server, String path, Map<String, String> headers) {
        SessionClient client = new SessionClient();
        WebSocket.Builder builder = CLIENT.newWebSocketBuilder().connectTimeout(Http.PATIENCE);
        headers.forEach(builder::header);
        WebSocket opened = builder.buildAsync(
                        URI.create("ws" + server.toString().substring("http".length()) + path), client)
                .join();
        client.socket = opened;
        client.sent = CompletableFuture.completedFuture(opened);
        return client;
    }

    /** A client with a session of its own. */
    public static SessionClient open(LockServer server) {
        return open(server.uri());
    }

    /** A client with a session of its own. */
    public static SessionClient open(URI server) {
        SessionClient client = connect(server, "/v1/session", Map.of());
        assertThat(client.ask("hello", "").get("answer").stringValue()).isEqualTo("hello");
        return client;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            part.toString().lines().forEach(this::hear);
            part.setLength(0);
        }
        if (!deaf) {
            from.request(1);
        }
        return null;
    }

    /** Reads nothing any more, but for what is on its way already. */
    void goesDeaf() {
        deaf = true;
    }

    private void hear(String line) {
        JsonNode message = JSON.readTree(line);
        CompletableFuture<JsonNode> answer =
                message.has("id") ? asked.remove(message.get("id").longValue()) : null;
        if (answer == null) {
            told.add(message);
        } else {
            answer.complete(message);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        closed.complete(-1);
    }

    public void send(String text) {
        sendPart(text, true);
    }

    public synchronized void sendPart(String text, boolean last) {
        sent = sent.thenCompose(open -> open.sendText(text, last));
    }

    /** Sends a request, whose other fields are given as JSON with single quotation marks. */
    public CompletableFuture<JsonNode> askAsync(String op, String fields) {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        send("{\"id\":" + id + ",\"op\":\"" + op + "\"" + (fields.isEmpty() ? "" : "," + fields.replace('\'', '"'))
                + "}");
        return answer;
    }

    public JsonNode ask(String op, String fields) {
        return in(Http.PATIENCE, askAsync(op, fields));
    }

    /** Asks for a lock, which must be granted. */
    public JsonNode acquire(String fields) {
        return granted(ask("acquire", fields));
    }

    public static JsonNode granted(JsonNode answer) {
        assertThat(answer.get("answer").stringValue()).as("%s", answer).isEqualTo("granted");
        return answer.get("lease");
    }

    static String problem(JsonNode answer) {
        assertThat(answer.get("answer").stringValue()).as("%s", answer).isEqualTo("problem");
        String type = answer.get("problem").get("type").stringValue();
        return type.substring(type.lastIndexOf(':') + 1);
    }

    public static <T> T in(Duration patience, CompletableFuture<T> future) {
        return future.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** The id of the last request. */
    long lastId() {
        return ids.get();
    }

    /** The messages so far that are not answers. */
    public List<JsonNode> told() {
        return told;
    }

    public boolean wasTold(String event) {
        return told.stream()
                .anyMatch(message -> message.has("event")
                        && message.get("event").stringValue().equals(event));
    }

    boolean isClosed() {
        return closed.isDone();
    }

    /** The status with which the connection was closed, -1 without one. */
    public int closedWith() {
        return in(Http.PATIENCE, closed.copy());
    }

    /** Breaks the connection. */
    void abort() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    WebSocket socket() {
        return sent.join();
    }

    @Override
    public void close() {
        abort();
    }
}
