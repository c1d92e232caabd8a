package dev.holdfast.benchmarks.side;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client for servers that use JSON. It uses the JDK's client and keeps its connections. Thread-safe. */
final class JsonOverHttp {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;

    JsonOverHttp(String server) {
        this.server = URI.create(server);
    }

    /** Posts a request, and returns one field of the answer: a number's digits, or a text without escapes. */
    String post(String path, String json, Pattern field) throws InterruptedException {
        String answer = post(path, json);
        Matcher found = field.matcher(answer);
        if (!found.find()) {
            throw new IllegalStateException(path + " was answered with " + answer);
        }
        return found.group(1);
    }

    /** Posts a request, and returns the answer. */
    String post(String path, String json) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(path + " is refused: " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
