package dev.holdfast.cli.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Facts about the terminal that Java does not provide. */
public final class Terminal {

    private static final Path STAT = Path.of("/proc/self/stat");
    private static final int USUAL_WIDTH = 80;
    private static final int GROUP = 2;
    private static final int TERMINAL = 4;
    private static final int FOREGROUND_GROUP = 5;

    private Terminal() {}

    /** Returns how many characters a line of standard error has; 0 if it is not a terminal. It starts a process. */
    static int errorWidth() {
        try {
            Process process = new ProcessBuilder("sh", "-c", "test -t 2 && { stty size <&2 2> /dev/null || echo; }")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String size = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? width(size) : 0;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Returns the columns of {@code stty size}; the usual width if a terminal does not know its size. */
    static int width(String size) {
        String columns = size.substring(size.indexOf(' ') + 1);
        return columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : USUAL_WIDTH;
    }

    /** Returns whether this process belongs to a terminal, which sends it HUP when it closes. Returns false if the system does not report it. */
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

    /** Returns whether this process is in the foreground of a terminal and receives its input. Returns false if the system does not report it. */
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
