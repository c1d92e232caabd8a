package dev.holdfast.benchmarks.side;

import dev.holdfast.redis.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** KEYS and ARGV of Holdfast's two scripts, as acquire.lua and release.lua say them, for a lock in mode EX that nobody contends. */
public final class BareScripts {

    /** What the floor runs to give a lock back. */
    public static final String DELETE_IF_SAME =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

    private static final String TTL_MILLIS = "30000";
    private static final String WAITER_TTL_MILLIS = "10000";
    private static final String FENCE_RETENTION_MILLIS = "86400000";
    private static final List<String> SIDE_PARTS =
            List.of("fence", "queue", "shared", "buried", "seal", "expiries", "requests", "value");
    private static final String BASE = Long.toString((System.currentTimeMillis() / 1000) << 20);

    private BareScripts() {}

    static String[] keys(String name) {
        String lock = "lock:" + name;
        return Stream.concat(Stream.of(lock), SIDE_PARTS.stream().map(part -> "{" + lock + "}:holdfast:" + part))
                .toArray(String[]::new);
    }

    static String[] acquireArguments(String owner) {
        return new String[] {owner, TTL_MILLIS, FENCE_RETENTION_MILLIS, BASE, WAITER_TTL_MILLIS};
    }

    static String[] releaseArguments(String owner) {
        return new String[] {owner, FENCE_RETENTION_MILLIS, BASE};
    }

    /** The whole command, for a lock of this number. */
    public static List<String> acquire(int number) {
        return command(LuaScript.ACQUIRE, number, acquireArguments(owner(number)));
    }

    /** The whole command, for a lock of this number. */
    public static List<String> release(int number) {
        return command(LuaScript.RELEASE, number, releaseArguments(owner(number)));
    }

    private static String owner(int number) {
        return "bench@host:1~0123456789ab/" + (1_700_000_000_000_000L + number) + "/0";
    }

    private static List<String> command(LuaScript script, int number, String[] arguments) {
        String[] keys = keys("script-" + number);
        List<String> command = new ArrayList<>(List.of("EVALSHA", script.sha1(), Integer.toString(keys.length)));
        command.addAll(Arrays.asList(keys));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
