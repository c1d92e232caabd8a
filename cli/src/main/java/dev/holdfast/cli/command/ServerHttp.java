package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.node.ConnectFailure;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import dev.holdfast.server.client.RemoteTls;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP API of one lock server, with the options and the token of the command line. Thread-safe. */
final class ServerHttp {

    /** Reads the answers. A backup is one string of any length. */
    static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final String NO_ANSWER = "no answer in time";

    private final RemoteAddress server;
    private final NodeOptions options;

    /** The client for the requests. */
    final HttpClient client;

    /**
     * Creates the API of a server; sends nothing.
     *
     * @param options the connection's options, with the token as the password unless the address has one
     */
    ServerHttp(RemoteAddress server, NodeOptions options) {
        this.server = server;
        this.options = options;
        this.client = server.tls()
                ? RemoteTls.client(options)
                : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    RemoteAddress server() {
        return server;
    }

    /** Returns a request for this path, with the token and a timeout for the answer's first byte. */
    HttpRequest.Builder request(String pathAndQuery) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.http(pathAndQuery))
                .timeout(options.connectTimeout().multipliedBy(2));
        Supplier<String> password = options.password();
        String token = server.token() != null || password == null ? server.token() : password.get();
        if (token != null) {
            try {
                request.header("Authorization", "Bearer " + token);
            } catch (IllegalArgumentException e) { // its message contains the token
                throw Failure.usage("the token of " + server.name()
                        + " has characters that are not allowed in an HTTP header, such as a line feed");
            }
        }
        return request;
    }

    /**
     * Sends a request, and reads the answer.
     *
     * @param refusal returns the failure for an answer of another status than 200, from the status and the body
     * @return completes with a {@link Failure} if there is no answer, or one that is not a lock server's
     */
    CompletableFuture<JsonNode> send(HttpRequest request, BiFunction<Integer, String, Failure> refusal) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle((response, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                throw new Failure(ExitCode.NO_QUORUM, server.name() + ": " + words(cause), cause);
            }
            if (response.statusCode() != OK) {
                throw refusal.apply(response.statusCode(), response.body());
            }
            try {
                return JSON.readTree(response.body());
            } catch (JacksonException e) {
                throw new Failure(ExitCode.NO_QUORUM, server.name() + ": the answer is not that of a lock server", e);
            }
        });
    }

    /** Returns the reason why there is no answer, and what to check if the server gives none. */
    String words(Throwable failure) {
        boolean wrapped = failure instanceof ConnectException
                && failure.getCause() instanceof ConnectException; // by a blocking call
        Throwable cause = wrapped && failure.getCause() != null ? failure.getCause() : failure;
        String words = ConnectFailure.words(cause);
        if (!ConnectFailure.isUnexplained(words) && !words.equals(NO_ANSWER)) {
            return words;
        }
        return words + "; check the host and the port, and if "
                + (server.tls()
                        ? "the port does not speak TLS, write holdfast://"
                        : "it expects TLS, write holdfasts://");
    }

    /** Returns the reason in the body of a refusal; the status if the body has none. */
    static String detail(int status, String body) {
        if (status == UNAUTHORIZED) {
            return body.contains("no token")
                    ? "the request has no token: set HOLDFAST_PASSWORD or --password-file"
                    : "the server does not know this token: check HOLDFAST_PASSWORD or --password-file";
        }
        try {
            JsonNode problem = JSON.readTree(body).get("detail");
            if (problem != null) {
                return problem.asString();
            }
        } catch (JacksonException e) {
            // The answer is not from a lock server; it may be from a proxy.
        }
        return "the server answered " + status + ", but not as a Holdfast server does; check the host and the port";
    }
}
