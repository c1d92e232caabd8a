package dev.holdfast.server.client;

import dev.holdfast.node.NodeOptions;
import dev.holdfast.time.RunningTimeout;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A factory of WebSockets to one server. All unencrypted WebSockets of a process share the threads of Java's client. Thread-safe. */
final class RemoteSockets {

    /** The holder of the shared client, which is created on first use. */
    private static final class Plain {
        static final HttpClient CLIENT =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private final RemoteAddress address;
    private final NodeOptions options;
    private volatile @Nullable HttpClient client;

    RemoteSockets(RemoteAddress address, NodeOptions options) {
        this.address = address;
        this.options = options;
    }

    /**
     * Connects to the server. The call to the token supplier may block.
     * The session measures the connect timeout, and excludes the time in which this client did not run.
     */
    CompletionStage<WebSocket> open(WebSocket.Listener listener) {
        WebSocket.Builder builder = client().newWebSocketBuilder()
                .connectTimeout(options.connectTimeout().multipliedBy(RunningTimeout.LONGEST_CONNECT_FACTOR));
        String token = token();
        if (token != null) {
            builder.header("Authorization", "Bearer " + requireHeaderText(token));
        }
        return builder.buildAsync(address.webSocket(NodeRequest.PATH), listener);
    }

    /** Rejects a token that is not valid in a header, since the message of Java's own check contains the token. */
    private static String requireHeaderText(String token) {
        if (!token.chars().allMatch(character -> character >= ' ' && character < 0x7f)) {
            throw new IllegalArgumentException(
                    "the token has a character that no HTTP header may have, such as a line feed");
        }
        return token;
    }

    private @Nullable String token() {
        Supplier<String> password = options.password();
        if (address.token() != null || password == null) {
            return address.token();
        }
        return password.get();
    }

    /** Returns what to check if the server ends a new connection, or is silent, as the end of a sentence. */
    String tlsHint() {
        return address.tls()
                ? "; check the host and the port, and if the port does not speak TLS, write holdfast://"
                : "; check the host and the port, and if it expects TLS, write holdfasts://";
    }

    private HttpClient client() {
        HttpClient known = client;
        if (known == null) {
            known = address.tls() ? RemoteTls.client(options) : Plain.CLIENT;
            client = known;
        }
        return known;
    }
}
