package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.message.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The server's description of itself: the OpenAPI document, compared with the routes and the answers, and its metrics. */
class DocumentTest {

    private static LockServer server;
    private static Http http;
    private static JsonNode document;

    @TempDir
    private static Path data;

    @BeforeAll
    static void start() {
        server = LockServer.builder().port(0).data(data).start();
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
        assertFields("Losses", http.get("/v1/losses").is(200));
        assertFields("Waits", http.get("/v1/waits").is(200));
        assertFields("Groups", http.get("/v1/groups?prefix=doc").is(200));
        assertFields("State", http.get("/healthz").is(200));
        assertFields("Standing", http.get("/v1/bootstrap").is(200));
        assertFields("Outcome", http.release(lease).is(200));
    }

    private static void assertFields(String schema, Reply reply) {
        assertForm(schema, schema(schema), reply.json());
    }

    private static JsonNode schema(String name) {
        return document.get("components").get("schemas").get(name);
    }

    /** Whether the value has the form that the document says, to its innermost field. */
    private static void assertForm(String place, JsonNode form, JsonNode value) {
        if (form.has("$ref")) {
            String name = form.get("$ref").stringValue();
            assertForm(place, schema(name.substring(name.lastIndexOf('/') + 1)), value);
        } else if (form.has("oneOf")) {
            if (!value.isNull()) {
                assertForm(place, form.get("oneOf").get(0), value);
            }
        } else if (form.get("type").toString().contains("object")) {
            JsonNode properties = form.get("properties");
            assertThat(value.propertyNames()).as(place).isSubsetOf(properties.propertyNames());
            form.path("required")
                    .forEach(name -> assertThat(value.has(name.stringValue()))
                            .as("%s.%s is required", place, name)
                            .isTrue());
            value.properties()
                    .forEach(field ->
                            assertForm(place + "." + field.getKey(), properties.get(field.getKey()), field.getValue()));
        } else if (form.get("type").toString().contains("array")) {
            value.forEach(item -> assertForm(place + "[]", form.get("items"), item));
        } else {
            String type = value.isNull()
                    ? "null"
                    : value.isIntegralNumber() ? "integer" : value.isBoolean() ? "boolean" : "string";
            assertThat(form.get("type").toString()).as(place).contains(type);
            if (type.equals("integer") && !value.canConvertToInt()) {
                assertThat(form.get("format").stringValue()).as(place).isEqualTo("int64");
            }
        }
    }

    /** Generators need to know how large a number is, what an array holds, what is always there, and where the server is. */
    @Test
    void nothingIsLeftToTheGuessOfAGenerator() {
        assertThat(document.get("servers").get(0).get("url").stringValue()).isEqualTo("/");
        document.get("components").get("schemas").properties().forEach(schema -> {
            JsonNode form = schema.getValue();
            assertThat(form.get("type").stringValue()).as(schema.getKey()).isEqualTo("object");
            if (!List.of("Extend").contains(schema.getKey())) {
                assertThat(form.path("required")).as(schema.getKey()).isNotEmpty();
            }
            form.get("properties").properties().forEach(field -> {
                String type = field.getValue().path("type").toString();
                String place = schema.getKey() + "." + field.getKey();
                assertThat(type).as(place).isNotEqualTo("\"object\"");
                if (type.contains("integer")) {
                    assertThat(field.getValue().path("format").stringValue(""))
                            .as(place)
                            .startsWith("int");
                }
                if (type.contains("array")) {
                    assertThat(field.getValue().get("items").path("type").stringValue(""))
                            .as(place)
                            .isNotEqualTo("object");
                }
            });
        });
        assertThat(schema("Lease").get("properties").get("token").get("format").stringValue())
                .isEqualTo("int64");
    }

    /** Every status that the tests of this class, and some more requests, have provoked is in the document. */
    @Test
    void everyStatusThatOccursIsInTheDocument() {
        Reply lease = http.acquire("{'lock':'statuses'}").is(201);
        http.acquire("{'lock':'statuses'}").is(409);
        http.post("/v1/leases/nothing/extend", "{}").is(404);
        http.release(lease).is(200);
        http.post("/v1/leases/" + lease.text("id") + "/extend", "{}").is(410);
        http.get("/v1/session").is(426);
        http.send(http.request("/healthz").header("Accept", "text/html").build())
                .is(406);

        Matcher counted = Pattern.compile("holdfast_server_requests_total\\{route=\"([a-z]+)\",status=\"(\\d+)\"}")
                .matcher(http.get("/metrics").is(200).response().body());
        int found = 0;
        while (counted.find()) {
            for (Route route : Route.values()) {
                if (route.word.equals(counted.group(1))) {
                    found++;
                    assertThat(operation(route).get("responses").propertyNames())
                            .as("%s", route)
                            .contains(counted.group(2));
                }
            }
        }
        assertThat(found).isGreaterThan(7);
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
