package dev.holdfast.redis.process;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What operators, other clients and shortages do to a server that runs. A fault that changes the server's configuration lasts until its
 * counterpart or a restart. Thread-safe.
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
     * Limits its memory to what it uses now and a megabyte, then writes keys of no use, as another client with much to keep does: until
     * the server refuses one (OOM), or has had to evict about twice as much as it may keep.
     *
     * @param policy what it is to evict, {@code noeviction} for nothing
     */
    public void fillMemory(String policy) {
        setup.ask(console -> {
            configure(console, "maxmemory-policy", policy);
            limitMemory(console, HEADROOM_BYTES);
            if (!hasRoomForFilling(console)) {
                limitMemory(console, -HEADROOM_BYTES / 2); // what connections take up comes and goes, and counts too
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

    /** Takes limit and filling away; what was evicted stays gone. */
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

    /** A subscriber for whom more than so many bytes wait is cut off; 0 for no limit. */
    public void limitPushBuffer(long bytes) {
        setup.ask(console -> configure(console, "client-output-buffer-limit", "pubsub " + bytes + " 0 0"));
    }

    /** So many connections at most; those that are open stay. */
    public void limitClients(int most) {
        setup.ask(console -> configure(console, "maxclients", Integer.toString(most)));
    }

    /** Cuts all connections that wait for pushes, and gives their number. */
    public long killSubscribers() {
        return setup.ask(console -> killed(console, "pubsub"));
    }

    /** Cuts all other connections of clients too, and gives the number of all. */
    public long killClients() {
        return setup.ask(console -> killed(console, "pubsub") + killed(console, "normal"));
    }

    private static long killed(RedisConsole console, String type) throws IOException {
        return console.send("CLIENT", "KILL", "TYPE", type) instanceof Long number ? number : 0;
    }

    // ---- standing still

    /** Commands of all clients wait for so long (CLIENT PAUSE), then they are carried out. Nothing ends that before its time. */
    public void pauseCommands(Duration length) {
        setup.ask(console -> console.send("CLIENT", "PAUSE", Long.toString(length.toMillis()), "ALL"));
    }

    /** Commands that write wait for so long, scripts that may write too; others are answered. */
    public void pauseWrites(Duration length) {
        setup.ask(console -> console.send("CLIENT", "PAUSE", Long.toString(length.toMillis()), "WRITE"));
    }

    /** Ends a pause of writes before its time. */
    public void endPause() {
        setup.ask(console -> console.send("CLIENT", "UNPAUSE"));
    }

    /** Returns another client's script runs until what is given back is closed; all else is answered with BUSY. Returns when that is so. */
    public SlowScript runSlowScript() {
        return SlowScript.at(setup);
    }

    /** Scripts are forgotten, as after an operator's SCRIPT FLUSH. */
    public void forgetScripts() {
        setup.ask(console -> console.send("SCRIPT", "FLUSH"));
    }

    private static Object configure(RedisConsole console, String name, String value) throws IOException {
        return String.valueOf(console.send("CONFIG", "SET", name, value));
    }
}
