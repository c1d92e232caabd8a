package dev.holdfast.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The scripts that run at the server, each assembled from resource files. The first file opens with its KEYS, ARGV and answers.
 *
 * <p>The scripts need only Redis 6.2 and run under Lua 5.1 and 5.4.
 */
public enum LuaScript {
    /** ACQUIRE of PROTOCOL §3. */
    ACQUIRE(
            "acquire.lua",
            "acquire-free.lua",
            "basics.lua",
            "acquire-queue.lua",
            "record.lua",
            "acquire-contended.lua"),
    /** ACQUIRE of an uncontended lock. */
    ACQUIRE_ALONE("acquire-alone.lua", "acquire-free.lua"),
    /** ACQUIRE of the votes of several leases, to extend them. */
    EXTEND("extend.lua"),
    /** RELEASE of PROTOCOL §3. */
    RELEASE("release.lua", "basics.lua", "release-next.lua", "record.lua", "release-contended.lua"),
    /** RELEASE of an uncontended lock. */
    RELEASE_ALONE("release-alone.lua"),
    /** INSPECT of PROTOCOL §3. */
    INSPECT("inspect.lua", "basics.lua", "record.lua", "inspect-record.lua"),
    /** A look at the server's clock and its epoch (PROTOCOL §5). */
    WATCH("watch.lua"),
    /** A write to a value that a fencing token guards (PROTOCOL §6). */
    GUARD("guard.lua");

    /** The scripts that a node needs. */
    public static final List<LuaScript> OF_A_NODE =
            List.of(ACQUIRE, ACQUIRE_ALONE, EXTEND, RELEASE, RELEASE_ALONE, INSPECT, WATCH);

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'");

    private final String text;
    private final String sha1;

    LuaScript(String... files) {
        StringBuilder joined = new StringBuilder();
        for (String file : files) {
            joined.append(read(file));
        }
        text = joined.toString();
        sha1 = sha1(text);
    }

    /** Returns the text of the script as the client sends it to the server. */
    public String text() {
        return text;
    }

    /** Returns the script's name at the server: the SHA-1 of the text in lower-case hex digits. */
    public String sha1() {
        return sha1;
    }

    /**
     * Finds the commands that a script runs on a line of its text. Servers name only the line when a user lacks a right there.
     *
     * @param sha1 the script's name
     * @param line its number, from 1
     * @return the command in capitals; empty if there is no such script, or no command on that line
     */
    public static String commandAt(String sha1, int line) {
        for (LuaScript script : values()) {
            if (script.sha1.equals(sha1)) {
                return CALL.matcher(
                                script.text.lines().skip(line - 1L).findFirst().orElse(""))
                        .results()
                        .map(call -> call.group(1))
                        .distinct()
                        .collect(Collectors.joining(" or "));
            }
        }
        return "";
    }

    private static String read(String file) {
        try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("The script " + file + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The script " + file + " can't be read from the jar", e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-1", e);
        }
    }
}
