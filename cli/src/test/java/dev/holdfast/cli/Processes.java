package dev.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;

/** Looks at processes, and signals them. */
final class Processes {

    private Processes() {}

    static void signal(String name, long pid) {
        try {
            new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A dead one that nobody has collected yet does nothing any more, so it counts as gone. */
    static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !isDefunct(pid);
    }

    private static boolean isDefunct(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
        } catch (IOException noProc) {
            return false;
        }
    }

    static void awaitGone(long pid) {
        Awaitility.await("process " + pid + " is gone").atMost(Cli.PATIENCE).until(() -> !isRunning(pid));
    }
}
