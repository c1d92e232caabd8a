package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The guard that ends every server with this JVM, however the JVM ends.
 *
 * <p>A shutdown hook closes the servers that are still open. A JVM that is killed runs no hook. For that case, a small
 * shell learns of every server and kills them when its standard input ends, as it does when the JVM dies.
 */
final class LastWill {

    private static final String EXECUTOR = """
            # Only the end of standard input ends this shell.
            trap '' INT TERM HUP
            # The servers to kill are known by their pids.
            pids=
            while read -r change pid; do
              # Either change takes the pid out of the list first.
              others=
              for p in $pids; do [ "$p" = "$pid" ] || others="$others $p"; done
              pids=$others
              [ "$change" = + ] && pids="$pids $pid"
            done
            # The JVM has ended.
            [ -z "$pids" ] || kill -9 $pids
            """;

    private static final Set<RedisProcess> OPEN = ConcurrentHashMap.newKeySet();
    private static @Nullable OutputStream executor;
    private static boolean hooked;

    private LastWill() {}

    /** Registers a server to close when the JVM ends. */
    static synchronized void add(RedisProcess server) {
        OPEN.add(server);
        if (!hooked) {
            Runtime.getRuntime().addShutdownHook(new Thread(LastWill::closeAll, "holdfast-redis-last-will"));
            hooked = true;
        }
    }

    static void remove(RedisProcess server) {
        OPEN.remove(server);
    }

    /** Registers a process to kill when the JVM ends. */
    static synchronized void started(long pid) {
        tell("+ " + pid);
    }

    /** Removes a process that has ended, since another process may get its pid. */
    static synchronized void ended(long pid) {
        tell("- " + pid);
    }

    private static void closeAll() {
        OPEN.forEach(RedisProcess::close);
    }

    private static void tell(String line) {
        try {
            OutputStream to = executor;
            if (to == null) {
                to = new ProcessBuilder("sh", "-c", EXECUTOR)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .getOutputStream();
                executor = to;
            }
            to.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            to.flush();
        } catch (IOException e) {
            // The shutdown hook remains. The next change starts a new shell, which learns of all later servers.
            executor = null;
        }
    }
}
