package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One real server on the loopback, which keeps its port through kills and restarts. Thread-safe.
 *
 * <p>A method that changes the process ({@link #kill}, {@link #pause}, {@link #restart} and so on) returns when the
 * change has taken effect. The server ends with {@link #close}, and at the latest with this JVM, even if that is
 * killed.
 */
public final class RedisProcess implements AutoCloseable {

    private final ServerControl server;
    private final ServerSetup setup;
    private final boolean temporary;

    private RedisProcess(ServerControl server, boolean temporary) {
        this.server = server;
        this.temporary = temporary;
        setup = server.setup();
    }

    /** Starts a server with the defaults. */
    public static RedisProcess start() {
        return start(RedisOptions.defaults());
    }

    /**
     * Starts a server, and returns when it answers.
     *
     * @throws RedisStartException if it doesn't answer; the message ends with the end of its log
     */
    public static RedisProcess start(RedisOptions options) {
        Path kept = options.directory();
        ServerDirectory directory = ServerDirectory.in(kept == null ? temporaryDirectory() : kept, options.logFile());
        try {
            RedisProcess process = new RedisProcess(ServerStart.first(options, directory, false), kept == null);
            LastWill.add(process);
            return process;
        } catch (RuntimeException e) {
            if (kept == null) {
                directory.delete();
            }
            throw e;
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("holdfast-redis-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its address: the loopback's, or that of its own network. */
    public String host() {
        return setup.host();
    }

    /** Returns {@code redis://host:port}, without any password. */
    public URI uri() {
        return setup.uri();
    }

    /**
     * Returns {@code rediss://host:port} of the TLS port.
     *
     * @throws IllegalStateException if the server was started without TLS
     */
    public URI tlsUri() {
        if (setup.listening().tlsPort() == 0) {
            throw new IllegalStateException(setup + " was started without TLS");
        }
        return setup.tlsUri();
    }

    /** Returns the port, the same for the whole life of this object. */
    public int port() {
        return setup.listening().port();
    }

    /** Returns the Unix socket; empty if the options did not ask for one. */
    public Optional<Path> socket() {
        return Optional.ofNullable(setup.listening().socket());
    }

    /** Returns the pid. {@link #restart} changes it; after {@link #kill} it is that of the killed process. */
    public long pid() {
        return server.pid();
    }

    /** Returns the server's directory, with its {@code redis.conf} and {@code data}. */
    public Path directory() {
        return setup.directory().root();
    }

    /** Returns whether the process exists, paused or not. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Returns whether {@link #pause} or a SIGSTOP from elsewhere has stopped the process. */
    public boolean isPaused() {
        return server.isPaused();
    }

    /**
     * Kills the server at once, as a crash does (SIGKILL), and returns when it has ended. Has no effect if it has ended
     * already.
     */
    public void kill() {
        server.kill();
    }

    /**
     * Shuts the server down cleanly (SIGTERM), even if it is paused, and returns when it has ended. Has no effect
     * if it has ended already.
     */
    public void stop() {
        server.stop();
    }

    /**
     * Pauses the server (SIGSTOP): connections stay open and new ones are even accepted, but no command is answered.
     * Its clock keeps running.
     */
    public void pause() {
        server.pause();
    }

    /**
     * Resumes the server (SIGCONT), which then executes the commands that arrived during the pause. Has no effect if it is
     * not paused.
     */
    public void resume() {
        server.resume();
    }

    /**
     * Restarts the server, and stops it first if it runs. It keeps its data only if it has an append-only file. It is
     * not declared clean.
     */
    public void restart() {
        restart(false);
    }

    /**
     * Restarts the server as {@link #restart()} does.
     *
     * @param declareClean whether to declare that it has lost no vote (PROTOCOL §5)
     */
    public void restart(boolean declareClean) {
        server.restart(declareClean);
    }

    /**
     * Kills the server if it runs, and starts it without data, as a node that lost its state. It is not declared clean.
     */
    public void restartEmpty() {
        restartEmpty(false);
    }

    /**
     * Restarts the server as {@link #restartEmpty()} does.
     *
     * @param declareClean whether to declare that it has lost no vote (PROTOCOL §5), which may be false
     */
    public void restartEmpty(boolean declareClean) {
        server.restartEmpty(declareClean);
    }

    /** Declares that this server has lost no vote; the declaration lasts until its next start ({@link Epoch}). */
    public void declareClean() {
        setup.ask(Epoch::declareClean);
    }

    /**
     * Cuts bytes off the end of the append-only file of a server that is down: {@code appendfsync everysec}, for
     * example, may lose the writes of the last second. At its start the server also drops an incomplete command at the end.
     *
     * @return how many bytes were cut; fewer than asked for if the file is shorter
     */
    public long truncateAof(long bytes) {
        return server.truncateAof(bytes);
    }

    /** Returns the length of the append-only file in bytes. While the server runs, the latest writes may be missing. */
    public long aofSize() {
        return setup.directory().aofSize();
    }

    /**
     * Steps the server's clock forward, or back if the step is negative. A running server notices it at once. The offset
     * outlasts restarts. As with a real clock, a step leaves the monotonic clock unchanged.
     *
     * @throws IllegalStateException if the server was started without {@link RedisOptions#steppableClock}
     */
    public void stepClock(Duration step) {
        ClockShim.step(setup.directory().root(), step);
    }

    /** Returns the sum of all steps of its clock; negative if it is behind. */
    public Duration clockOffset() {
        return ClockShim.offset(setup.directory().root());
    }

    /** Returns the faults that operators, other clients and shortages cause while the server runs. */
    public ServerFaults faults() {
        return new ServerFaults(setup);
    }

    /** Deletes all keys, including the epoch key: the server loses its state without a restart. */
    public void flushAll() {
        send("FLUSHALL");
    }

    /** Returns all keys, sorted, including the epoch key. */
    public List<String> keys() {
        return keys("*");
    }

    /** Returns the keys that match a Redis pattern, sorted. */
    public List<String> keys(String pattern) {
        TreeSet<String> keys = new TreeSet<>();
        if (send("KEYS", pattern) instanceof List<?> found) {
            found.forEach(key -> keys.add(String.valueOf(key)));
        }
        return List.copyOf(keys);
    }

    /** Returns the number of keys, including the epoch key. */
    public long dbsize() {
        return send("DBSIZE") instanceof Long size ? size : 0;
    }

    /** Returns its run id, uptime and role at present. */
    public ServerInfo info() {
        return setup.ask(RedisConsole::info);
    }

    /** Sends one command over a connection of its own; see {@link RedisConsole} for the types of the reply. */
    public @Nullable Object send(String... args) {
        return setup.<@Nullable Object>ask(console -> console.send(args));
    }

    /** Returns a connection to the server, logged in; the caller closes it. */
    public RedisConsole console() {
        try {
            return setup.connect(RedisConsole.DEFAULT_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException("no connection to " + setup, e);
        }
    }

    /** Returns everything that the server has logged since its first start. */
    public String log() {
        return setup.directory().logText();
    }

    /**
     * Ends the server, even if it is paused. A temporary directory is deleted. A directory that is kept
     * ({@link RedisOptions#directory}) has all that was written, since the server gets 10 s to shut down cleanly.
     * Further calls have no effect.
     */
    @Override
    public void close() {
        server.close(!temporary);
        LastWill.remove(this);
        if (temporary) {
            setup.directory().delete();
        }
    }

    @Override
    public String toString() {
        return uri() + " (pid " + pid() + (isPaused() ? ", paused)" : isRunning() ? ")" : ", down)");
    }
}
