package dev.holdfast.benchmarks.side;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Locks of a lock server, over WebSocket: a session for each lock, on a connection of its own. */
final class SessionLockClient implements LockClient {

    private static final Pattern ID = Pattern.compile("\"lease\":\\{\"id\":\"([^\"]+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    SessionLockClient(String server) {
        this.server = URI.create("ws" + server.substring("http".length())).resolve("/v1/session");
    }

    /** One request at a time. */
    private final class Session implements WebSocket.Listener {

        private final StringBuilder heard = new StringBuilder();
        private final WebSocket socket;
        private volatile CompletableFuture<String> answer = new CompletableFuture<>();
        private long id;

        Session() {
            socket = client.newWebSocketBuilder().buildAsync(server, this).join();
            ask("\"op\":\"hello\"");
        }

        String ask(String fields) {
            CompletableFuture<String> next = new CompletableFuture<>();
            answer = next;
            try { // an answer may be there before its question counts as sent, and until then no other can be
                socket.sendText("{\"id\":" + ++id + "," + fields + "}", true).get();
                return next.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("the session has ended", e.getCause());
            }
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            heard.append(data);
            if (last) {
                String message = heard.toString();
                heard.setLength(0);
                answer.complete(message);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            answer.completeExceptionally(new IllegalStateException(code + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            answer.completeExceptionally(failure);
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
                throw new IllegalStateException("acquire is answered with " + granted);
            }
            String release = "\"op\":\"release\",\"lease\":\"" + found.group(1) + "\"";
            return () -> session.ask(release);
        };
    }

    @Override
    public void close() {
        sessions.values().forEach(session -> session.socket.abort());
    }
}
