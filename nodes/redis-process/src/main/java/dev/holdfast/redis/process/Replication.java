package dev.holdfast.redis.process;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Replication between two servers: a replica follows its primary, falls behind, and is promoted. Redis replicates
 * asynchronously. A replica that is behind lacks writes that the primary has answered, and a promotion loses them
 * permanently.
 */
public final class Replication {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** A user that no server has: the primary rejects a replica that logs in with this name. */
    private static final String NOBODY = "nobody";

    private Replication() {}

    /**
     * Makes a server the replica of another; returns when it has all that was written to the primary before the call.
     */
    public static void follow(RedisProcess replica, RedisProcess primary) {
        loginAs(replica, "");
        ask(replica, "REPLICAOF", primary.host(), Integer.toString(primary.port()));
        awaitInSync(replica, primary);
    }

    /** Waits until the replica has all that was written to the primary before the call. */
    public static void awaitInSync(RedisProcess replica, RedisProcess primary) {
        long written = offset(primary, "master_repl_offset");
        Waiting.require(
                SOON,
                () -> replica + " is not in sync with " + primary,
                () -> isUp(replica)
                        && stream(primary).equals(stream(replica)) // the first replica of a primary changes its stream
                        && offset(replica, "slave_repl_offset") >= written);
    }

    /**
     * Cuts a replica off from its primary and keeps it from logging in again, so it receives no later write. Returns
     * when the link is down.
     */
    public static void fallBehind(RedisProcess replica) {
        loginAs(replica, NOBODY);
        ask(replica, "CLIENT", "KILL", "TYPE", "master");
        Waiting.require(SOON, () -> replica + " still follows its primary", () -> !isUp(replica));
    }

    /** Lets a replica that is behind log in again. */
    public static void letLogIn(RedisProcess replica) {
        loginAs(replica, "");
    }

    /** Promotes a replica to primary; all writes that it lacks are lost. */
    public static void promote(RedisProcess replica) {
        ask(replica, "REPLICAOF", "NO", "ONE");
        letLogIn(replica);
    }

    public static boolean isPrimary(RedisProcess server) {
        return "master".equals(info(server).get("role"));
    }

    private static void loginAs(RedisProcess replica, String user) {
        ask(replica, "CONFIG", "SET", "masteruser", user);
        ask(replica, "CONFIG", "SET", "masterauth", user);
    }

    private static boolean isUp(RedisProcess replica) {
        return "up".equals(info(replica).get("master_link_status"));
    }

    private static String stream(RedisProcess server) {
        return info(server).getOrDefault("master_replid", "");
    }

    private static long offset(RedisProcess server, String field) {
        return Long.parseLong(info(server).getOrDefault(field, "-1"));
    }

    /**
     * Retries a command until there is a reply: a server whose role a sentinel changes closes the connections of its
     * clients.
     */
    private static String ask(RedisProcess server, String... command) {
        AtomicReference<String> answer = new AtomicReference<>("");
        Waiting.require(SOON, () -> "no answer from " + server, () -> {
            try {
                answer.set(String.valueOf(server.send(command)));
                return true;
            } catch (UncheckedIOException e) {
                return false;
            }
        });
        return answer.get();
    }

    private static Map<String, String> info(RedisProcess server) {
        Map<String, String> fields = new HashMap<>();
        ask(server, "INFO", "replication").lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return fields;
    }
}
