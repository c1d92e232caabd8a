package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The events of one lock server, received as Server-Sent Events (WHATWG HTML §9.2). It reconnects when the connection breaks, and then receives the
 * missed events first. One thread reads it.
 */
final class EventSource {

    /** A listener to events. Each call may block, which slows down the server's events. */
    interface Listener {

        /** Receives an event in the server's JSON. */
        void event(RemoteAddress server, String json) throws InterruptedException;

        /** Receives a change of the connection's state, once per change. */
        void changed(String what) throws InterruptedException;

        /** Receives the final failure. */
        void refused(Failure failure) throws InterruptedException;
    }

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SILENCE_NANOS = 25_000 * NANOS_PER_MILLI; // the server sends something every ten seconds
    private static final long FIRST_PAUSE_NANOS = 250 * NANOS_PER_MILLI;
    private static final long LONGEST_PAUSE_NANOS = 5_000 * NANOS_PER_MILLI;
    private static final int LONGEST_LINE = 1 << 20;

    private final RemoteAddress server;
    private final String query;
    private final Timing timing;
    private final Listener listener;
    private final ServerHttp api;
    private @Nullable String lastId;
    private boolean connected;
    private boolean everConnected;
    private boolean saidToBeGone;

    /**
     * Creates a source that is not connected yet.
     *
     * @param options the connection's options, with the token as the password unless the address has one
     * @param prefix the prefix of the locks' names
     */
    EventSource(RemoteAddress server, NodeOptions options, String prefix, Timing timing, Listener listener) {
        this.server = server;
        this.query = "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8);
        this.timing = timing;
        this.listener = listener;
        this.api = new ServerHttp(server, options);
    }

    /** Reads until the server rejects the request for good, or this thread is interrupted. */
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
            Thread.currentThread().interrupt(); // the command is ending
        } catch (Failure e) {
            refused(e);
        } catch (RuntimeException | Error e) { // otherwise the command would wait forever
            refused(new Failure(ExitCode.INTERNAL, server.name() + " can no longer be watched: " + e, e));
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
            listener.changed(server.name() + (connected ? " disconnected" : " cannot be reached") + " (" + api.words(e)
                    + "); retrying");
        }
    }

    private void pause(long nanos) {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        timing.scheduler().schedule(nanos, () -> over.complete(true));
        over.join();
    }

    private void readOnce() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = api.client.send(request(), HttpResponse.BodyHandlers.ofInputStream());
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
        throw new IOException("the server closed the connection");
    }

    private HttpRequest request() {
        HttpRequest.Builder request = api.request("/v1/events" + query).header("Accept", "text/event-stream");
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        return request.build();
    }

    /** Ends the source after a client error, which would repeat; throws a retryable exception after any other error. */
    private void refuse(int status, InputStream body) throws IOException {
        String text = new String(body.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
        String detail = ServerHttp.detail(status, text);
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
            // a failed close leaves nothing to do
        }
    }
}
