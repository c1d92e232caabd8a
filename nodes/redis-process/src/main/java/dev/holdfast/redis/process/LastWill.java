package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no server outlives this JVM, however it ends.
 *
 * <p>A shutdown hook closes what is still open. A JVM that is killed runs no hook: for that case a small shell is told of
 * every server, and kills them when its standard input ends, as it does with the JVM.
 */
final class LastWill {

    private static final String EXECUTOR = """
            trap '' INT TERM HUP
            pids=
            while read -r change pid; do
              others=
              for p in $pids; do [ "$p" = "$pid" ] || others="$others $p"; done
              pids=$others
              [ "$change" = + ] && pids="$pids $pid"
            done
            [ -z "$pids" ] || kill -9 $pids
            """;

    private static final Set<RedisProcess> OPEN = ConcurrentHashMap.newKeySet();
    private static @Nullable OutputStream executor;
    private static boolean hooked;

    private LastWill() {}

    /** A server that is to be closed with the JVM. */
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

    /** A process that is to be killed with the JVM. */
    static synchronized void started(long pid) {
        tell("+ " + pid);
    }

    /** A process that is gone: its pid may be another's from now on. */
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
            // The shutdown hook is left. The next change gets a new shell, which knows of the servers to come.
            executor = null;
        }
    }
}
