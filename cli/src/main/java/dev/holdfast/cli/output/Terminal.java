package dev.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Facts about the terminal that Java does not provide. */
public final class Terminal {

    private static final Path STAT = Path.of("/proc/self/stat");
    private static final int GROUP = 2;
    private static final int TERMINAL = 4;
    private static final int FOREGROUND_GROUP = 5;

    private Terminal() {}

    /** Returns whether standard error is a terminal. It starts a process. */
    static boolean isStandardError() {
        try {
            return new ProcessBuilder("sh", "-c", "test -t 2")
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether this process belongs to a terminal, which sends it HUP when it closes. Returns false if the system does not show that. */
    public static boolean isOurs() {
        try {
            String stat = Files.readString(STAT);
            return !stat.substring(stat.lastIndexOf(')') + 2)
                    .split(" ")[TERMINAL]
                    .equals("0");
        } catch (IOException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** Returns whether this process is in the foreground of a terminal and receives its input. Returns false if the system does not show that. */
    public static boolean isForeground() {
        try {
            String stat = Files.readString(STAT);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return !fields[TERMINAL].equals("0") && fields[FOREGROUND_GROUP].equals(fields[GROUP]);
        } catch (IOException | IndexOutOfBoundsException e) {
            return false;
        }
    }
}
