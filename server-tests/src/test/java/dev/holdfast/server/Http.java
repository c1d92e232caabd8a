package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the server under test that knows nothing of it but its address. */
public final class Http {

    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpClient client;
    private final URI server;
    private final @Nullable String token;

    public Http(URI server) {
        this(CLIENT, server, null);
    }

    public Http(LockServer server) {
        this(CLIENT, server.uri(), null);
    }

    /** Over TLS, or in another way of its own. */
    public Http(LockServer server, HttpClient client) {
        this(client, server.uri(), null);
    }

    private Http(HttpClient client, URI server, @Nullable String token) {
        this.client = client;
        this.server = server;
        this.token = token;
    }

    public Http with(String bearer) {
        return new Http(client, server, bearer);
    }

    /** An answer, read as JSON. */
    public record Reply(int status, HttpResponse<String> response) {

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String text(String field) {
            return json().get(field).stringValue();
        }

        public long number(String field) {
            return json().get(field).longValue();
        }

        /** It is a problem of this kind and nothing else, as RFC 9457 has it. */
        public Reply isProblem(int expected, String kind) {
            assertThat(status).as("%s", this).isEqualTo(expected);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(text("type")).isEqualTo("urn:holdfast:problem:" + kind);
            assertThat(number("status")).isEqualTo(expected);
            assertThat(text("title")).isNotBlank();
            assertThat(response.body()).doesNotContain("Exception", "\tat ", "dev.holdfast", "jetty");
            return this;
        }

        public Reply is(int expected) {
            assertThat(status).as("%s", this).isEqualTo(expected);
            return this;
        }

        @Override
        public String toString() {
            return status + " " + response.body();
        }
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(server + path)).timeout(PATIENCE);
        return token == null ? builder : builder.header("Authorization", "Bearer " + token);
    }

    public CompletableFuture<Reply> sendAsync(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Reply(response.statusCode(), response));
    }

    public Reply send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpRequest.Builder posting(String path, String json) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')));
    }

    /** Posts JSON, in which single quotation marks stand for double ones. */
    public Reply post(String path, String json) {
        return send(posting(path, json).build());
    }

    public CompletableFuture<Reply> postAsync(String path, String json) {
        return sendAsync(posting(path, json).build());
    }

    public Reply get(String path) {
        return send(request(path).build());
    }

    public Reply acquire(String json) {
        return post("/v1/leases", json);
    }

    public Reply release(Reply lease) {
        return post("/v1/leases/" + lease.text("id") + "/release", "");
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
