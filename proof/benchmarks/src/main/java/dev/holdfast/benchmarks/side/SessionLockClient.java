package dev.holdfast.benchmarks.side;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client of a lock server over WebSocket: it has a session for each lock, on a connection of its own. An idle session
 * regularly sends a message to stay alive.
 */
final class SessionLockClient implements LockClient {

    private static final Duration ALIVE_EVERY = Duration.ofSeconds(3); // less than a third of a session's grace
    private static final Pattern REQUEST = Pattern.compile("^\\{\"id\":(\\d+)");
    private static final Pattern ID = Pattern.compile("\"lease\":\\{\"id\":\"([^\"]+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    SessionLockClient(String server) {
        this.server = URI.create("ws" + server.substring("http".length())).resolve("/v1/session");
        timer.scheduleWithFixedDelay(
                () -> sessions.values().forEach(Session::stayAlive),
                ALIVE_EVERY.toMillis(),
                ALIVE_EVERY.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private final class Session implements WebSocket.Listener {

        private final StringBuilder heard = new StringBuilder();
        private final WebSocket socket;
        private final Map<Long, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
        private long id; // guarded by this

        Session() {
            socket = client.newWebSocketBuilder().buildAsync(server, this).join();
            ask("\"op\":\"hello\"");
        }

        String ask(String fields) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            try {
                send(fields, answer);
                return answer.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("the session has ended", e.getCause());
            }
        }

        /**
         * Sends a message. Its answer may arrive before the message counts as sent; until it does, no other message can
         * be sent.
         */
        private synchronized void send(String fields, CompletableFuture<String> answer)
                throws InterruptedException, ExecutionException {
            asked.put(++id, answer);
            socket.sendText("{\"id\":" + id + "," + fields + "}", true).get();
        }

        void stayAlive() {
            try {
                send("\"op\":\"alive\"", new CompletableFuture<>());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                failAll(e);
            }
        }

        private void failAll(Throwable cause) {
            asked.values().forEach(answer -> answer.completeExceptionally(cause));
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            heard.append(data);
            if (last) {
                heard.toString().lines().forEach(this::told);
                heard.setLength(0);
            }
            from.request(1);
            return null;
        }

        /** Handles a message; events answer no request. */
        private void told(String message) {
            Matcher request = REQUEST.matcher(message);
            CompletableFuture<String> answer = request.find() ? asked.remove(Long.valueOf(request.group(1))) : null;
            if (answer != null) {
                answer.complete(message);
            }
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            failAll(new IllegalStateException(code + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            failAll(failure);
        }
    }

    @Override
    public NamedLock lock(String name) {
        String wanted = "\"op\":\"acquire\",\"lock\":\"" + name + "\",\"ttl\":\"30s\",\"wait\":\"1h\"";
        return () -> {
            Session session = sessions.computeIfAbsent(name, fresh -> new Session());
            String granted = session.ask(wanted);
            Matcher found = ID.matcher(granted);
            if (!found.find()) {
                throw new IllegalStateException("acquire was answered with " + granted);
            }
            String release = "\"op\":\"release\",\"lease\":\"" + found.group(1) + "\"";
            return () -> session.ask(release);
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
        sessions.values().forEach(session -> session.socket.abort());
    }
}
