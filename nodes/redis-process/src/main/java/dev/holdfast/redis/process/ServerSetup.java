package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a server that stay the same when it restarts; its {@code redis.conf} has the others.
 *
 * @param listening the places where it listens
 * @param login the user as which the test kit logs in, if the server requires a login
 * @param launch the settings for the start of its process
 */
record ServerSetup(
        RedisBinary binary,
        ServerDirectory directory,
        Listening listening,
        @Nullable Login login,
        Launch launch) {

    /**
     * The places where a server listens.
     *
     * @param tlsPort the port for TLS; 0 without TLS
     * @param socket its Unix socket, if it has one
     * @param network the server's own network, if it has one
     */
    record Listening(
            int port,
            int tlsPort,
            @Nullable Path socket,
            @Nullable NetworkNamespace network) {}

    /**
     * The settings for the start of a server's process.
     *
     * @param environment the variables that it gets besides those of this JVM
     * @param within how long it may take until it answers
     * @param detached whether the server is to outlive this JVM
     */
    record Launch(Map<String, String> environment, Duration within, boolean detached) {}

    /** The address of servers without a network of their own. */
    static final String LOOPBACK = "127.0.0.1";

    /** Returns the address at which the server listens. */
    String host() {
        NetworkNamespace network = listening.network;
        return network == null ? LOOPBACK : network.address();
    }

    /** Returns the words to put before a command so that it runs in the server's network. */
    List<String> entrance() {
        NetworkNamespace network = listening.network;
        return network == null ? List.of() : network.entrance();
    }

    URI uri() {
        return URI.create("redis://" + host() + ":" + listening.port);
    }

    URI tlsUri() {
        return URI.create("rediss://" + host() + ":" + listening.tlsPort);
    }

    /** Returns a connection that is logged in. */
    RedisConsole connect(Duration timeout) throws IOException {
        RedisConsole console = RedisConsole.connect(host(), listening.port, timeout);
        try {
            return login == null ? console : console.login(login.user(), login.password());
        } catch (IOException | RuntimeException e) {
            console.close();
            throw e;
        }
    }

    /** Asks the server over a new connection. */
    <T extends @Nullable Object> T ask(Question<T> question) {
        try (RedisConsole console = connect(RedisConsole.DEFAULT_TIMEOUT)) {
            return question.ask(console);
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + this, e);
        }
    }

    @Override
    public String toString() {
        return "the server at " + uri();
    }

    /** A question for a server. */
    interface Question<T extends @Nullable Object> {

        T ask(RedisConsole console) throws IOException;
    }
}
