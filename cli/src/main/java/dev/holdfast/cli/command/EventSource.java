package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import dev.holdfast.server.client.RemoteTls;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events of one lock server, as Server-Sent Events (WHATWG HTML §9.2) tell them. Comes back by itself when the connection breaks, and is told first what
 * it has missed. One thread reads it.
 */
final class EventSource {

    /** Who is told. Each call may block, which holds the server's events back. */
    interface Listener {

        /** An event, as the server has written it. */
        void event(RemoteAddress server, String json) throws InterruptedException;

        /** How the connection is, once when it changes. */
        void changed(String what) throws InterruptedException;

        /** It will never be. */
        void refused(Failure failure) throws InterruptedException;
    }

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SILENCE_NANOS = 25_000 * NANOS_PER_MILLI; // the server says something every ten seconds
    private static final long FIRST_PAUSE_NANOS = 250 * NANOS_PER_MILLI;
    private static final long LONGEST_PAUSE_NANOS = 5_000 * NANOS_PER_MILLI;
    private static final int LONGEST_LINE = 1 << 20;

    private final RemoteAddress server;
    private final NodeOptions options;
    private final String query;
    private final Timing timing;
    private final Listener listener;
    private final HttpClient client;
    private @Nullable String lastId;
    private boolean connected;
    private boolean everConnected;
    private boolean saidToBeGone;

    /**
     * Not connected yet.
     *
     * @param options with the token as the password, unless the address has one
     * @param prefix what the names of the locks begin with
     */
    EventSource(RemoteAddress server, NodeOptions options, String prefix, Timing timing, Listener listener) {
        this.server = server;
        this.options = options;
        this.query = "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8);
        this.timing = timing;
        this.listener = listener;
        this.client = server.tls()
                ? RemoteTls.client(options)
                : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /** Reads until the server refuses it for good, or this thread is interrupted. */
    void run() {
        long pause = FIRST_PAUSE_NANOS;
        try {
            while (true) {
                try {
                    readOnce();
                } catch (IOException e) {
                    reportGone(e);
                }
                pause = connected ? FIRST_PAUSE_NANOS : Math.min(pause * 2, LONGEST_PAUSE_NANOS);
                connected = false;
                pause(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody wants to know any more
        } catch (Failure e) {
            refused(e);
        } catch (RuntimeException | Error e) { // else the command would wait for ever
            refused(new Failure(ExitCode.INTERNAL, server.name() + " can't be watched any more: " + e, e));
        }
    }

    private void refused(Failure failure) {
        try {
            listener.refused(failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reportGone(IOException e) throws InterruptedException {
        if (!saidToBeGone) {
            saidToBeGone = true;
            listener.changed(
                    server.name() + (connected ? " is gone" : " can't be reached") + " (" + why(e) + "); trying again");
        }
    }

    private static String why(IOException e) {
        if (e instanceof ConnectException) {
            return "no connection";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private void pause(long nanos) {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        timing.scheduler().schedule(nanos, () -> over.complete(true));
        over.join();
    }

    private void readOnce() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                refuse(response.statusCode(), body);
            }
            connected = true;
            if (saidToBeGone || !everConnected) {
                listener.changed("watching " + server.name() + (everConnected ? " again" : ""));
            }
            saidToBeGone = false;
            everConnected = true;
            readLines(body);
        }
        throw new IOException("it has ended the connection");
    }

    private HttpRequest request() {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.http("/v1/events" + query))
                .timeout(options.connectTimeout().multipliedBy(2))
                .header("Accept", "text/event-stream");
        Supplier<String> password = options.password();
        String token = server.token() != null || password == null ? server.token() : password.get();
        if (token != null) {
            try {
                request.header("Authorization", "Bearer " + token);
            } catch (IllegalArgumentException e) { // whose message has the token
                throw Failure.usage("the token of " + server.name()
                        + " has characters that no HTTP header may have, such as a line feed");
            }
        }
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        return request.build();
    }

    /** What is wrong with the request will be so the next time; what is wrong with the server may not. */
    private void refuse(int status, InputStream body) throws IOException {
        String text = new String(body.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
        String detail = "the answer is " + status;
        try {
            JsonNode problem = JSON.readTree(text).get("detail");
            detail = problem == null ? detail : problem.asString();
        } catch (JacksonException e) {
            // whoever answers there is no lock server, or stands before one
        }
        if (status >= 400 && status < 500 && status != 429) {
            throw Failure.usage(server.name() + ": " + detail);
        }
        throw new IOException(detail);
    }

    private void readLines(InputStream body) throws IOException, InterruptedException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        String data = "";
        Timer silence = endAfterSilence(body);
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                silence.cancel();
                silence = endAfterSilence(body);
                if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && !data.isEmpty()) {
                    listener.event(server, data);
                    data = "";
                }
            }
        } finally {
            silence.cancel();
        }
    }

    private Timer endAfterSilence(InputStream body) {
        return timing.scheduler()
                .schedule(SILENCE_NANOS, () -> timing.scheduler().execute(() -> close(body)));
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }
}
