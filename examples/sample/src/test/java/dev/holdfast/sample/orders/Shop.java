package dev.holdfast.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sample.stage.Instance;
import dev.holdfast.sample.stage.Stage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The customers and the payment provider of a test, and queries of the database at its end. */
final class Shop {

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final int DELIVERIES = 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Stage stage;
    final JdbcClient sql;

    Shop(Stage stage) {
        this.stage = stage;
        this.sql = JdbcClient.create(stage.database().dataSource());
    }

    Instance instance(int index) {
        return stage.instances().get(index % Stage.INSTANCES);
    }

    private HttpRequest.Builder request(Instance instance, String path) {
        return HttpRequest.newBuilder(instance.uri().resolve(path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> place(Instance instance, String key, String body) throws IOException, InterruptedException {
        return http.send(
                request(instance, "/orders")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Places one order at two instances, as a customer does who got no answer. Returns its id. */
    long placeTwice(String key, int index) throws IOException, InterruptedException {
        String body = "{\"customer\":\"ada\",\"cents\":" + (100 + index) + "}";
        HttpResponse<String> first = place(instance(index), key, body);
        HttpResponse<String> again = place(instance(index + 1), key, body);
        assertThat(again.body()).isEqualTo(first.body());
        Matcher id = ID.matcher(first.body());
        assertThat(id.find()).as(first.body()).isTrue();
        return Long.parseLong(id.group(1));
    }

    CompletableFuture<HttpResponse<String>> post(Instance instance, String path, String body) {
        return http.sendAsync(
                request(instance, path)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Delivers a message to two instances at the same time, again where one was busy; what they said in the end. */
    CompletableFuture<List<String>> pay(String message, long order, int index) {
        String body = "{\"message\":\"" + message + "\",\"order\":" + order + "}";
        CompletableFuture<String> other = deliver(instance(index + 1), body, DELIVERIES);
        return deliver(instance(index), body, DELIVERIES).thenCombine(other, List::of);
    }

    List<String> payTwice(String message, long order, int index) {
        return pay(message, order, index).join();
    }

    private CompletableFuture<String> deliver(Instance instance, String body, int times) {
        return post(instance, "/payments", body)
                .thenCompose(answer -> answer.statusCode() == 503 && times > 1
                        ? deliver(instance, body, times - 1)
                        : CompletableFuture.completedFuture(answer.body()));
    }

    long number(String query) {
        return sql.sql(query).query(Long.class).single();
    }

    String state(long order) {
        return sql.sql("SELECT state FROM orders WHERE id = ?")
                .param(order)
                .query(String.class)
                .single();
    }

    /** The nights in which the batch ran, in order. */
    List<Long> nights() {
        return sql.sql("SELECT subject::bigint FROM journal WHERE deed = 'nightly' ORDER BY id")
                .query(Long.class)
                .list();
    }
}
