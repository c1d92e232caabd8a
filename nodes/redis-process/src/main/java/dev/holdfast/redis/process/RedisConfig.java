package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a server's {@code redis.conf}. Passwords are in that file rather than in arguments, which the list of
 * processes would show.
 */
final class RedisConfig {

    private static final int LONGEST_SOCKET_PATH = 103;

    private RedisConfig() {}

    /** Chooses the ports that are not fixed, and writes the file. */
    static ServerSetup write(RedisOptions options, ServerDirectory directory, boolean detached) {
        ServerSetup setup = new ServerSetup(
                options.binary(),
                directory,
                new ServerSetup.Listening(
                        options.port() == 0 ? FreePort.pick() : options.port(),
                        options.tls() == null ? 0 : FreePort.pick(),
                        options.unixSocket() ? socket(directory) : null,
                        options.network()),
                options.login(),
                new ServerSetup.Launch(environment(options, directory), options.startWithin(), detached));
        try {
            PrivateFile.write(directory.config(), String.join("\n", lines(options, setup)) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return setup;
    }

    private static Map<String, String> environment(RedisOptions options, ServerDirectory directory) {
        Map<String, String> all = new HashMap<>(options.environment());
        if (options.steppableClock()) {
            all.putAll(ClockShim.install(options.binary(), directory.root()));
        }
        return Map.copyOf(all);
    }

    private static List<String> lines(RedisOptions options, ServerSetup setup) {
        List<String> lines = new ArrayList<>(List.of(
                "bind " + setup.host(),
                "port " + setup.listening().port(),
                "protected-mode no",
                "daemonize no",
                "dir " + quoted(setup.directory().data()),
                "pidfile " + quoted(setup.directory().pidFile()),
                "logfile \"\"", // standard output, which is redirected to the log file with all earlier output
                // begins
                "set-proc-title no", // the path of this file in its command line identifies a server
                "save \"\"",
                "appendonly " + (options.appendOnly() ? "yes" : "no")));
        addTls(lines, options.tls(), setup.listening().tlsPort());
        Path socket = setup.listening().socket();
        if (socket != null) {
            lines.add("unixsocket " + quoted(socket));
        }
        if (options.password() != null) {
            lines.add("requirepass " + quoted(options.password()));
        }
        lines.addAll(options.config());
        return lines;
    }

    private static void addTls(List<String> lines, @Nullable TlsFiles tls, int port) {
        if (tls != null) {
            lines.add("tls-port " + port);
            lines.add("tls-cert-file " + quoted(tls.certificate().toAbsolutePath()));
            lines.add("tls-key-file " + quoted(tls.key().toAbsolutePath()));
            lines.add("tls-ca-cert-file " + quoted(tls.authority().toAbsolutePath()));
            lines.add("tls-auth-clients " + (tls.clientsShowOne() ? "yes" : "no"));
        }
    }

    private static Path socket(ServerDirectory directory) {
        Path socket = directory.root().resolve("redis.sock");
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST_SOCKET_PATH) {
            throw new RedisStartException("the path of a Unix socket may have " + LONGEST_SOCKET_PATH + " bytes, not "
                    + length + ": " + socket + "; choose a shorter directory");
        }
        return socket;
    }

    private static String quoted(Object value) {
        return '"' + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
