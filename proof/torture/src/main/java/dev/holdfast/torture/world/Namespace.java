package dev.holdfast.torture.world;

import dev.holdfast.redis.process.OsProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A network of its own, and mounts of its own, for some processes. One process keeps them. They end with it and with the
 * processes inside, and it ends with this JVM, however that ends.
 */
final class Namespace implements AutoCloseable {

    private static final String READY = "ready";

    private final Process keeper;

    private Namespace(Process keeper) {
        this.keeper = keeper;
    }

    /**
     * Creates a namespace.
     *
     * @param setup shell commands that run inside first
     * @throws IllegalStateException if this machine does not allow it, with the reason
     */
    static Namespace create(String setup) {
        try {
            Process keeper = new ProcessBuilder(
                            "unshare", "--net", "--mount", "sh", "-c", "set -e; " + setup + "; echo " + READY + "; cat")
                    .redirectErrorStream(true)
                    .start();
            OsProcess.endingWithThisJvm(keeper.toHandle());
            BufferedReader printed =
                    new BufferedReader(new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
            String line = printed.readLine();
            if (!READY.equals(line)) {
                keeper.destroyForcibly();
                throw new IllegalStateException("no namespace: " + line);
            }
            return new Namespace(keeper);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the id of the process that keeps it. */
    long pid() {
        return keeper.pid();
    }

    /** Returns the words to put before a command so that it runs inside, as the same process. */
    List<String> entrance() {
        return List.of(
                "nsenter", "--net=/proc/" + pid() + "/ns/net", "--mount=/proc/" + pid() + "/ns/mnt", "--wd=/", "--");
    }

    /** Runs a program inside to its end. */
    void run(String input, String... command) {
        List<String> words = new ArrayList<>(entrance());
        words.addAll(List.of(command));
        Shell.run(input, words);
    }

    @Override
    public void close() {
        keeper.destroyForcibly();
        keeper.onExit().join();
    }
}
