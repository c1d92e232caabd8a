package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A script of another client that keeps a server busy; see {@link ServerFaults#runSlowScript}. Thread-safe. */
public final class SlowScript implements AutoCloseable {

    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final String ENDLESS = "while true do end";

    private final ServerSetup setup;
    private final RedisConsole client;

    private SlowScript(ServerSetup setup, RedisConsole client) {
        this.setup = setup;
        this.client = client;
    }

    static SlowScript at(ServerSetup setup) {
        try {
            RedisConsole client = setup.connect(RedisConsole.DEFAULT_TIMEOUT);
            SlowScript script = new SlowScript(setup, client);
            client.send("CONFIG", "SET", "lua-time-limit", "1"); // milliseconds until other clients get an answer
            client.sendOnly("EVAL", ENDLESS, "0");
            Waiting.require(WITHIN, () -> setup + " was not busy", script::isRunning);
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isRunning() {
        try {
            setup.ask(console -> console.send("PING"));
            return false;
        } catch (RedisErrorReply reply) {
            return reply.code().equals("BUSY");
        }
    }

    /**
     * Ends the script, as an operator does (SCRIPT KILL); returns when the server answers again. Further calls have no
     * effect.
     */
    @Override
    public void close() {
        client.close();
        if (isRunning()) {
            setup.ask(console -> console.send("SCRIPT", "KILL"));
            Waiting.require(WITHIN, () -> setup + " was still busy", () -> !isRunning());
        }
    }
}
