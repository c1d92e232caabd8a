package dev.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** Looks at processes, and signals them. */
public final class Processes {

    private static final long SIGINT_BIT = 1 << 1;

    private Processes() {}

    public static void signal(String name, long pid) {
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

    /**
     * Skips the test where this process ignores SIGINT, and so does all that it starts: a shell without job control starts what it runs in the
     * background so.
     */
    public static void assumeInterruptible() {
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            long ignored = status.filter(line -> line.startsWith("SigIgn:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.split("\\s+")[1], 16))
                    .findAny()
                    .orElse(0);
            Assumptions.assumeTrue((ignored & SIGINT_BIT) == 0, "SIGINT is ignored: run the build in the foreground");
        } catch (IOException noProc) {
            // then SIGINT is what it is elsewhere
        }
    }

    /** A dead process whose parent has not collected it yet does nothing any more, so it counts as ended. */
    public static boolean isRunning(long pid) {
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

    public static void awaitGone(long pid) {
        Awaitility.await("process " + pid + " is gone").atMost(Cli.PATIENCE).until(() -> !isRunning(pid));
    }
}
