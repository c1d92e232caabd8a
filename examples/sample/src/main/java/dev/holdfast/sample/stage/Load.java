package dev.holdfast.sample.stage;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Customers, and a payment provider. A customer whose order got no answer sends it again to another instance, with the
 * same key. The provider delivers each message to two instances at the same time, and repeats it until one has accepted
 * it.
 */
final class Load implements Runnable {

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final int TRIES = 20;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Instance> instances;
    private final long pauseMillis;

    Load(List<Instance> instances, int rate) {
        this.instances = List.copyOf(instances);
        this.pauseMillis = 1_000 / rate;
    }

    @Override
    public void run() {
        try {
            for (int number = 1; !closed.await(pauseMillis, TimeUnit.MILLISECONDS); number++) {
                String id = place(number);
                if (id != null) {
                    pay(number, id);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Places an order and returns its id; {@code null} if no instance accepted it. */
    private @Nullable String place(int number) throws InterruptedException {
        String body = "{\"customer\":\"customer-" + number % 50 + "\",\"cents\":" + (500 + number * 37 % 9_000) + "}";
        for (int i = 0; i < TRIES; i++) {
            HttpRequest request = post(number + i, "/orders", body)
                    .header("Idempotency-Key", "load-" + number)
                    .build();
            try {
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                Matcher id = ID.matcher(answer.body());
                if (answer.statusCode() == 200 && id.find()) {
                    return id.group(1);
                }
            } catch (IOException e) {
                // That instance has ended or is paused: try the next one.
            }
            if (closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                return null;
            }
        }
        return null;
    }

    private void pay(int number, String order) throws InterruptedException {
        String body = "{\"message\":\"payment-" + number + "\",\"order\":" + order + "}";
        for (int i = 0; i < TRIES; i++) {
            CompletableFuture<Boolean> one = deliver(number + i, body);
            CompletableFuture<Boolean> other = deliver(number + i + 1, body);
            boolean taken = one.thenCombine(other, (a, b) -> a || b).join();
            if (taken || closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private CompletableFuture<Boolean> deliver(int to, String body) {
        return http.sendAsync(post(to, "/payments", body).build(), HttpResponse.BodyHandlers.discarding())
                .handle((answer, failure) -> answer != null && answer.statusCode() == 200);
    }

    private HttpRequest.Builder post(int to, String path, String body) {
        URI instance = instances.get(to % instances.size()).uri();
        return HttpRequest.newBuilder(instance.resolve(path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(3))
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    void close() {
        closed.countDown();
    }
}
