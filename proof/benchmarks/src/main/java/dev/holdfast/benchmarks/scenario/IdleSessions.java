package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.world.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Idle sessions of a lock server that hold one lock each. */
final class IdleSessions {

    private static final int FIRST = 10;

    private IdleSessions() {}

    /** Returns how many bytes of the server's heap each session takes if there are this many. */
    static double bytesEach(ServerProcess server, int count) {
        URI uri = URI.create("ws" + server.uri().toString().substring("http".length()))
                .resolve("/v1/session");
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<WebSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < FIRST; i++) {
                sockets.add(open(client, uri, "first-" + i)); // the server now has everything that it creates only once
            }
            long before = server.heapBytes();
            for (int i = 0; i < count; i++) {
                sockets.add(open(client, uri, "held-" + i));
            }
            return (double) (server.heapBytes() - before) / count;
        } finally {
            sockets.forEach(WebSocket::abort);
        }
    }

    /** Opens a session that holds its lock. */
    private static WebSocket open(HttpClient client, URI uri, String lock) {
        CompletableFuture<Void> granted = new CompletableFuture<>();
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        if (data.toString().contains("\"granted\"")) {
                            granted.complete(null);
                        }
                        from.request(1);
                        return null;
                    }

                    @Override
                    public void onError(WebSocket from, Throwable failure) {
                        granted.completeExceptionally(failure);
                    }
                })
                .join();
        socket.sendText(
                        "{\"id\":1,\"op\":\"hello\"}\n{\"id\":2,\"op\":\"acquire\",\"lock\":\"" + lock
                                + "\",\"ttl\":\"10m\"}",
                        true)
                .join();
        granted.join();
        return socket;
    }
}
