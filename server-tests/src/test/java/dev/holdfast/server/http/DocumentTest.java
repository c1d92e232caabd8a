package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.message.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the server says of itself: the OpenAPI document, held against the routes and the answers, and its metrics. */
class DocumentTest {

    private static LockServer server;
    private static Http http;
    private static JsonNode document;

    @BeforeAll
    static void start() {
        server = LockServer.builder().port(0).start();
        http = new Http(server);
        document = http.get("/v1/openapi.json").is(200).json();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode operation(Route route) {
        return document.get("paths").get(route.path).get(route.method.toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void thePathsAreThoseOfTheRoutes() {
        TreeSet<String> documented = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            path.getValue()
                    .propertyNames()
                    .forEach(method -> documented.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey()));
        }
        TreeSet<String> served = new TreeSet<>();
        for (Route route : Route.values()) {
            served.add(route.method + " " + route.path);
        }

        assertThat(document.get("openapi").stringValue()).startsWith("3.1");
        assertThat(documented).isEqualTo(served);
    }

    @Test
    void rightsFormsAndParametersAreThose() {
        for (Route route : Route.values()) {
            JsonNode operation = operation(route);
            assertThat(operation.get("security").isEmpty())
                    .as("%s is open", route)
                    .isEqualTo(route.right == null);
            if (route.right != null) {
                assertThat(operation.get("description").stringValue())
                        .contains("the right '" + Json.word(route.right) + "'");
            }
            operation.get("responses").properties().forEach(response -> {
                JsonNode content = response.getValue().get("content");
                if (content != null) {
                    assertThat(content.propertyNames()).as("%s", route).containsExactly(route.type);
                }
            });
        }
    }

    /** A field or parameter in the document is known to the server, and one that is not there is refused by its name, with those that are. */
    @Test
    void theFieldsAndParametersAreThoseThatTheServerTakes() {
        for (Route route : Route.values()) {
            JsonNode operation = operation(route);
            String path = route.path.replace("{id}", "a");
            if (route.method.equals("POST")) {
                JsonNode request = operation.get("requestBody");
                List<String> fields = request == null ? List.of("none") : fields(request);
                assertThat(http.post(path, "{'no-such-field':'x'}")
                                .isProblem(400, "bad-request")
                                .text("detail"))
                        .as("%s", route)
                        .endsWith("known are: " + String.join(", ", fields) + ".");
            }
            List<String> parameters = new ArrayList<>();
            if (operation.get("parameters") != null) {
                operation.get("parameters").forEach(parameter -> {
                    if (parameter.get("in").stringValue().equals("query")) {
                        parameters.add(parameter.get("name").stringValue());
                    }
                });
            }
            Reply refused = route.method.equals("GET")
                    ? http.get(path + "?no-such-parameter=x")
                    : http.post(path + "?no-such-parameter=x", "{}");
            assertThat(refused.isProblem(400, "bad-request").text("detail"))
                    .as("%s", route)
                    .endsWith("known are: " + (parameters.isEmpty() ? "none" : String.join(", ", parameters)) + ".");
        }
    }

    private static List<String> fields(JsonNode request) {
        String schema =
                request.get("content").get(Json.TYPE).get("schema").get("$ref").stringValue();
        List<String> fields = new ArrayList<>();
        document.get("components")
                .get("schemas")
                .get(schema.substring(schema.lastIndexOf('/') + 1))
                .get("properties")
                .propertyNames()
                .forEach(fields::add);
        return fields;
    }

    /** Every field of an answer is in the document. */
    @Test
    void theAnswersAreAsTheDocumentSays() {
        Reply lease = http.acquire("{'lock':'doc','value':'v'}").is(201);
        assertFields("Lease", lease);
        assertFields("Problem", http.acquire("{'lock':'doc'}").isProblem(409, "held"));
        assertFields("Status", http.get("/v1/status?lock=doc").is(200));
        assertFields("Page", http.get("/v1/locks?prefix=doc").is(200));
        assertFields("Nodes", http.get("/v1/nodes").is(200));
        assertFields("Overview", http.get("/v1/overview").is(200));
        assertFields("Table", http.get("/v1/table?contains=doc").is(200));
        assertFields("History", http.get("/v1/history?lock=doc").is(200));
        assertFields("State", http.get("/healthz").is(200));
        assertFields("Outcome", http.release(lease).is(200));
    }

    private static void assertFields(String schema, Reply reply) {
        List<String> known = new ArrayList<>();
        document.get("components")
                .get("schemas")
                .get(schema)
                .get("properties")
                .propertyNames()
                .forEach(known::add);
        assertThat(reply.json().propertyNames()).as("%s", schema).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void metricsCountWhatHappens() {
        Reply lease = http.acquire("{'lock':'metrics'}").is(201);
        http.acquire("{'lock':'metrics'}").isProblem(409, "held");

        Reply metrics = Awaitility.await("the node was looked at")
                .atMost(Http.PATIENCE)
                .until(
                        () -> http.get("/metrics").is(200),
                        reply ->
                                reply.response().body().contains("\nholdfast_server_node_up{node=\"embedded\"} 1.0\n"));

        assertThat(metrics.response().headers().firstValue("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.response().body())
                .containsPattern("\nholdfast_server_leases 1\\.0\n")
                .containsPattern("\nholdfast_server_waiting 0\\.0\n")
                .containsPattern("\nholdfast_server_events_total\\{type=\"granted\"} [1-9]")
                .containsPattern("\nholdfast_server_requests_total\\{route=\"acquire\",status=\"409\"} [1-9]")
                .containsPattern("\nholdfast_server_node_up\\{node=\"embedded\"} 1\\.0\n")
                .doesNotContain(lease.text("id"));
        http.release(lease);
    }
}
