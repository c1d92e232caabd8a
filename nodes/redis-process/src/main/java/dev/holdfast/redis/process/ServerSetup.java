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
 * What stays the same of a server through its restarts; the rest is in its {@code redis.conf}.
 *
 * @param tlsPort 0 if it doesn't speak TLS
 * @param socket its Unix socket, if it has one
 * @param login whom the test kit logs in as, if it must
 * @param network the network that it is in, if that is one of its own
 * @param detached whether it is to outlive this JVM
 */
record ServerSetup(
        RedisBinary binary,
        ServerDirectory directory,
        int port,
        int tlsPort,
        @Nullable Path socket,
        @Nullable Login login,
        Map<String, String> environment,
        Duration startWithin,
        @Nullable NetworkNamespace network,
        boolean detached) {

    /** Where servers listen that have no network of their own. */
    static final String LOOPBACK = "127.0.0.1";

    /** Returns the address that it listens at. */
    String host() {
        return network == null ? LOOPBACK : network.address();
    }

    /** What to put before a command so that it runs where the server is to run. */
    List<String> entrance() {
        return network == null ? List.of() : network.entrance();
    }

    URI uri() {
        return URI.create("redis://" + host() + ":" + port);
    }

    URI tlsUri() {
        return URI.create("rediss://" + host() + ":" + tlsPort);
    }

    /** Returns a connection that is logged in. */
    RedisConsole connect(Duration timeout) throws IOException {
        RedisConsole console = RedisConsole.connect(host(), port, timeout);
        try {
            return login == null ? console : console.login(login.user(), login.password());
        } catch (IOException | RuntimeException e) {
            console.close();
            throw e;
        }
    }

    /** Asks over a connection of its own. */
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

    /** Something to ask a server. */
    interface Question<T extends @Nullable Object> {

        T ask(RedisConsole console) throws IOException;
    }
}
