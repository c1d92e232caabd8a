package dev.holdfast.redis.process;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The faults that operators, other clients and shortages cause in a running server. A fault that changes the server's
 * configuration lasts until its counterpart or a restart ends it. Thread-safe.
 */
public final class ServerFaults {

    private static final Pattern USED_MEMORY = Pattern.compile("(?m)^used_memory:(\\d+)");
    private static final String FILLER = "holdfast-filler:";
    private static final int FILLER_BYTES = 16 * 1024;
    private static final int HEADROOM_BYTES = 1024 * 1024;
    private static final int FILLERS = 3 * HEADROOM_BYTES / FILLER_BYTES;

    private final ServerSetup setup;

    ServerFaults(ServerSetup setup) {
        this.setup = setup;
    }

    // ---- memory

    /**
     * Fills the server's memory. It limits the memory to the present use plus a megabyte, then writes useless keys, as
     * another client with much data would. It stops when the server refuses a write (OOM), or has evicted about twice
     * as much as the limit.
     *
     * @param policy the eviction policy; {@code noeviction} for none
     */
    public void fillMemory(String policy) {
        setup.ask(console -> {
            configure(console, "maxmemory-policy", policy);
            limitMemory(console, HEADROOM_BYTES);
            if (!hasRoomForFilling(console)) {
                limitMemory(console, -HEADROOM_BYTES / 2); // memory for connections varies, and counts too
            }
            return null;
        });
    }

    private static void limitMemory(RedisConsole console, long beyondUsed) throws IOException {
        configure(console, "maxmemory", Long.toString(usedMemory(console) + beyondUsed));
    }

    private static boolean hasRoomForFilling(RedisConsole console) throws IOException {
        String filler = "x".repeat(FILLER_BYTES);
        try {
            for (int i = 0; i < FILLERS; i++) {
                console.send("SET", FILLER + i, filler);
            }
            return true;
        } catch (RedisErrorReply refused) {
            if (refused.code().equals("OOM")) {
                return false;
            }
            throw refused;
        }
    }

    private static long usedMemory(RedisConsole console) throws IOException {
        Matcher matcher = USED_MEMORY.matcher(String.valueOf(console.send("INFO", "memory")));
        if (!matcher.find()) {
            throw new IllegalStateException("INFO memory without used_memory");
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Removes the limit and the keys that filled the memory. Evicted keys stay lost. */
    public void freeMemory() {
        setup.ask(console -> {
            configure(console, "maxmemory", "0");
            for (int i = 0; i < FILLERS; i++) {
                console.send("DEL", FILLER + i);
            }
            return null;
        });
    }

    // ---- connections

    /**
     * Limits the buffer of each subscriber: the server disconnects a subscriber when more bytes wait for it.
     *
     * @param bytes the limit; 0 for none
     */
    public void limitPushBuffer(long bytes) {
        setup.ask(console -> configure(console, "client-output-buffer-limit", "pubsub " + bytes + " 0 0"));
    }

    /** Limits the number of connections. Open connections stay. */
    public void limitClients(int most) {
        setup.ask(console -> configure(console, "maxclients", Integer.toString(most)));
    }

    /** Disconnects all subscribers, and returns their number. */
    public long killSubscribers() {
        return setup.ask(console -> killed(console, "pubsub"));
    }

    /** Disconnects all clients, subscribers included, and returns their number. */
    public long killClients() {
        return setup.ask(console -> killed(console, "pubsub") + killed(console, "normal"));
    }

    private static long killed(RedisConsole console, String type) throws IOException {
        return console.send("CLIENT", "KILL", "TYPE", type) instanceof Long number ? number : 0;
    }

    // ---- pauses

    /**
     * Pauses the execution of all clients' commands for this long (CLIENT PAUSE). {@link #endPause} can't end the pause
     * early.
     */
    public void pauseCommands(Duration length) {
        setup.ask(console -> console.send("CLIENT", "PAUSE", Long.toString(length.toMillis()), "ALL"));
    }

    /**
     * Pauses commands that write, and scripts that may write, for this long. The server answers all other commands.
     */
    public void pauseWrites(Duration length) {
        setup.ask(console -> console.send("CLIENT", "PAUSE", Long.toString(length.toMillis()), "WRITE"));
    }

    /** Ends a pause of writes early. */
    public void endPause() {
        setup.ask(console -> console.send("CLIENT", "UNPAUSE"));
    }

    /**
     * Starts a script of another client, which runs until the returned object is closed. Until then, the server answers
     * every other command with BUSY. Returns when the server has begun to do so.
     */
    public SlowScript runSlowScript() {
        return SlowScript.at(setup);
    }

    /** Flushes the script cache, as an operator does with SCRIPT FLUSH. */
    public void forgetScripts() {
        setup.ask(console -> console.send("SCRIPT", "FLUSH"));
    }

    private static Object configure(RedisConsole console, String name, String value) throws IOException {
        return String.valueOf(console.send("CONFIG", "SET", name, value));
    }
}
