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
 * One real server, on the loopback, at a port that stays its own through kills and restarts. Thread-safe.
 *
 * <p>What changes the process ({@link #kill}, {@link #pause}, {@link #restart} and so on) returns when the change is there to be seen.
 * The server ends with {@link #close}, and at the latest with this JVM, also if that is killed.
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
     * @throws RedisStartException if it doesn't, with the end of its log
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

    /** {@code redis://host:port}, without any password. */
    public URI uri() {
        return setup.uri();
    }

    /** {@code rediss://host:port} of the TLS port; an error if TLS was not asked for. */
    public URI tlsUri() {
        if (setup.tlsPort() == 0) {
            throw new IllegalStateException(setup + " was started without TLS");
        }
        return setup.tlsUri();
    }

    /** Returns the port, the same for the whole life of this object. */
    public int port() {
        return setup.port();
    }

    /** Returns the Unix socket, if it was asked for. */
    public Optional<Path> socket() {
        return Optional.ofNullable(setup.socket());
    }

    /** Returns the process, another one after {@link #restart}; after {@link #kill} the one that was. */
    public long pid() {
        return server.pid();
    }

    /** Returns the server's directory, with its {@code redis.conf} and {@code data}. */
    public Path directory() {
        return setup.directory().root();
    }

    /** Whether there is a process, paused or not. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Returns whether the process was stopped by {@link #pause} or by somebody else's SIGSTOP. */
    public boolean isPaused() {
        return server.isPaused();
    }

    /** Ends it at once, as a crash does (SIGKILL); returns when it is gone. Harmless if it is gone already. */
    public void kill() {
        server.kill();
    }

    /** Lets it end in good order (SIGTERM), paused or not; returns when it is gone. Harmless if it is gone already. */
    public void stop() {
        server.stop();
    }

    /** Makes it stand still (SIGSTOP): connections stay, are even accepted, and nothing is answered. Its clock runs on. */
    public void pause() {
        server.pause();
    }

    /** Lets it go on (SIGCONT); what was sent to it meanwhile is done now. Harmless if it is not paused. */
    public void resume() {
        server.resume();
    }

    /** Stops it if it runs, and starts it again: with its data if it has an append-only file. Not declared clean. */
    public void restart() {
        restart(false);
    }

    /** The same; {@code declareClean} answers for it that no vote was lost (PROTOCOL §5). */
    public void restart(boolean declareClean) {
        server.restart(declareClean);
    }

    /** Kills it if it runs, and starts it again with nothing: a node that lost its memory. Not declared clean. */
    public void restartEmpty() {
        restartEmpty(false);
    }

    /** The same; {@code declareClean} answers for it that no vote was lost (PROTOCOL §5), which may be a lie. */
    public void restartEmpty(boolean declareClean) {
        server.restartEmpty(declareClean);
    }

    /** Answers for this server that it has lost no vote, until its next start ({@link Epoch}). */
    public void declareClean() {
        setup.ask(Epoch::declareClean);
    }

    /**
     * Cuts bytes off the end of the append-only file of a server that is down: the last second that {@code appendfsync everysec}
     * may lose. Says how many were cut, fewer if there were fewer. On its start the server drops a torn command at the end too.
     */
    public long truncateAof(long bytes) {
        return server.truncateAof(bytes);
    }

    /** Returns the length of the append-only file in bytes; what was written lately may be missing while the server runs. */
    public long aofSize() {
        return setup.directory().aofSize();
    }

    /**
     * Sets its clock forward, or back by a negative step, at once if it runs; it stays so through restarts. As when a real clock is
     * set, its monotonic clock notices nothing.
     *
     * @throws IllegalStateException if it was started without {@link RedisOptions#steppableClock}
     */
    public void stepClock(Duration step) {
        ClockShim.step(setup.directory().root(), step);
    }

    /** By how much all steps have set its clock forward, or back if negative. */
    public Duration clockOffset() {
        return ClockShim.offset(setup.directory().root());
    }

    /** What others and shortages do to it while it runs. */
    public ServerFaults faults() {
        return new ServerFaults(setup);
    }

    /** Deletes all keys, the epoch key with them: the server has lost its memory without a restart. */
    public void flushAll() {
        send("FLUSHALL");
    }

    /** Returns all keys, sorted; the epoch key is one of them. */
    public List<String> keys() {
        return keys("*");
    }

    /** Returns the keys that match a pattern of Redis, sorted. */
    public List<String> keys(String pattern) {
        TreeSet<String> keys = new TreeSet<>();
        if (send("KEYS", pattern) instanceof List<?> found) {
            found.forEach(key -> keys.add(String.valueOf(key)));
        }
        return List.copyOf(keys);
    }

    /** Returns how many keys there are; the epoch key is one of them. */
    public long dbsize() {
        return send("DBSIZE") instanceof Long size ? size : 0;
    }

    /** Run id, uptime, role, as of now. */
    public ServerInfo info() {
        return setup.ask(RedisConsole::info);
    }

    /** Sends one command over a connection of its own; see {@link RedisConsole} for what comes back. */
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

    /** What the server has logged since its first start. */
    public String log() {
        return setup.directory().logText();
    }

    /**
     * Ends it, paused or not. A temporary directory is deleted; one that is kept ({@link RedisOptions#directory}) has all that was
     * written, for the server is given 10 s to end in good order. Harmless more than once.
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
