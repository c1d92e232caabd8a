package dev.holdfast.redis.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A process of the operating system and the signals that can be sent to it. This JVM or an earlier one started it.
 * Thread-safe.
 */
public final class OsProcess {

    private static final Duration SIGNAL_WITHIN = Duration.ofSeconds(10);
    private static final char GONE = 'X';

    private final ProcessHandle handle;

    OsProcess(ProcessHandle handle) {
        this.handle = handle;
    }

    /**
     * Returns a process, such as another JVM, that is killed when this JVM ends, however this JVM ends. A stopped
     * process is killed too.
     */
    public static OsProcess endingWithThisJvm(ProcessHandle process) {
        LastWill.started(process.pid());
        process.onExit().thenRun(() -> LastWill.ended(process.pid()));
        return new OsProcess(process);
    }

    /**
     * Returns the beginning of a command line that starts a process in a session of its own. Neither Ctrl-C nor a closed terminal ends such a process. The list
     * is empty if the system has no such command.
     */
    public static List<String> ownSession() {
        String path = System.getenv().getOrDefault("PATH", "");
        boolean exists = Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "setsid")));
        return exists ? List.of("setsid") : List.of();
    }

    /** Returns the running process with this pid. */
    public static Optional<OsProcess> find(long pid) {
        return ProcessHandle.of(pid).map(OsProcess::new).filter(OsProcess::isRunning);
    }

    /** Returns its pid. */
    public long pid() {
        return handle.pid();
    }

    /**
     * Returns whether the process exists, stopped or not.
     *
     * <p>A killed process that its parent has not reaped yet counts as ended once its last thread has released its
     * port.
     */
    public boolean isRunning() {
        if (!handle.isAlive()) {
            return false;
        }
        char state = state();
        return state != GONE && (state != 'Z' || hasOtherThreads());
    }

    /** Returns whether SIGSTOP has stopped the process. */
    public boolean isPaused() {
        return handle.isAlive() && state() == 'T';
    }

    /**
     * Returns whether its command line has this argument, which distinguishes a server of ours from another program
     * that got the same pid.
     */
    public boolean wasStartedWith(String argument) {
        return List.of(handle.info().arguments().orElse(new String[0])).contains(argument);
    }

    /** Kills the process with SIGKILL, which works on a paused process too, and waits until it has ended. */
    public void kill() {
        handle.destroyForcibly();
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " did not end after SIGKILL", () -> !isRunning());
    }

    /**
     * Ends the process with SIGTERM, and sends SIGCONT so that a paused process receives it.
     *
     * @param within how long to wait for the end
     * @return whether the process has ended
     */
    public boolean terminate(Duration within) {
        signal("TERM");
        signal("CONT");
        return Waiting.until(within, () -> !isRunning());
    }

    /** Pauses the process with SIGSTOP, and waits until it has stopped. */
    public void pause() {
        signal("STOP");
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " did not stop after SIGSTOP", this::isPaused);
    }

    /** Resumes the process with SIGCONT, and waits until it runs again. */
    public void resume() {
        signal("CONT");
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " did not resume after SIGCONT", () -> !isPaused());
    }

    /**
     * Sends a signal with the shell's built-in {@code kill}, since some systems lack the program. Has no effect on a
     * process that has ended.
     */
    private void signal(String name) {
        if (isRunning()) {
            output("sh", "-c", "kill -" + name + " " + pid() + " 2>&1");
        }
    }

    private boolean hasOtherThreads() {
        String[] threads = proc("task").toFile().list();
        return threads != null && threads.length > 1;
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(pid()), file);
    }

    private char state() {
        try {
            String line = Files.readString(proc("stat"), StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return Files.isDirectory(Path.of("/proc/self")) ? GONE : stateByPs();
        }
    }

    private char stateByPs() {
        String state = output("ps", "-o", "state=", "-p", Long.toString(pid())).strip();
        return state.isEmpty() ? GONE : state.charAt(0);
    }

    private static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
