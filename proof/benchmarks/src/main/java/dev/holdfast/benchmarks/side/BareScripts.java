package dev.holdfast.benchmarks.side;

import dev.holdfast.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The KEYS and ARGV of Holdfast's two scripts, as documented in acquire-alone.lua and release-alone.lua, for an
 * uncontended lock in mode EX.
 */
public final class BareScripts {

    /** The script with which the floor releases a lock. */
    public static final String DELETE_IF_SAME =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

    private static final String TTL_MILLIS = "30000";
    private static final String FENCE_RETENTION_MILLIS = "86400000";
    private static final String BASE = Long.toString((System.currentTimeMillis() / 1000) << 20);

    private BareScripts() {}

    static String[] acquireKeys(String name) {
        return new String[] {lock(name), side(name, "fence"), side(name, "others"), side(name, "ttl")};
    }

    static String[] acquireArguments(String owner) {
        return new String[] {owner, TTL_MILLIS, FENCE_RETENTION_MILLIS, BASE};
    }

    static String[] releaseKeys(String name) {
        return new String[] {lock(name), side(name, "others")};
    }

    static String[] releaseArguments(String owner) {
        return new String[] {owner};
    }

    private static String lock(String name) {
        return "lock:" + name;
    }

    private static String side(String name, String part) {
        return "{" + lock(name) + "}:holdfast:" + part;
    }

    /** Returns the whole command to acquire the lock with this number. */
    public static List<String> acquire(int number) {
        return command(LuaScript.ACQUIRE_ALONE, acquireKeys("script-" + number), acquireArguments(owner(number)));
    }

    /** Returns the whole command to release the lock with this number. */
    public static List<String> release(int number) {
        return command(LuaScript.RELEASE_ALONE, releaseKeys("script-" + number), releaseArguments(owner(number)));
    }

    private static String owner(int number) {
        return "bench@host:1~0123456789ab/" + (1_700_000_000_000_000L + number) + "/0";
    }

    private static List<String> command(LuaScript script, String[] keys, String[] arguments) {
        List<String> command = new ArrayList<>(List.of("EVALSHA", script.sha1(), Integer.toString(keys.length)));
        command.addAll(Arrays.asList(keys));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
