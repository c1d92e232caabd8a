package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process of the operating system, ours or one that an earlier JVM left, and the signals one sends to it. Thread-safe. */
public final class OsProcess {

    private static final Duration SIGNAL_WITHIN = Duration.ofSeconds(10);
    private static final char GONE = 'X';

    private final ProcessHandle handle;

    OsProcess(ProcessHandle handle) {
        this.handle = handle;
    }

    /** Any process, such as another JVM. It is killed, stopped or not, when this JVM ends, however that ends. */
    public static OsProcess endingWithThisJvm(ProcessHandle process) {
        LastWill.started(process.pid());
        process.onExit().thenRun(() -> LastWill.ended(process.pid()));
        return new OsProcess(process);
    }

    static Optional<OsProcess> find(long pid) {
        return ProcessHandle.of(pid).map(OsProcess::new).filter(OsProcess::isRunning);
    }

    /** Returns its number. */
    public long pid() {
        return handle.pid();
    }

    /**
     * Whether it is there, stopped or not.
     *
     * <p>A killed process that its parent has not collected yet is as good as gone, once its last thread has let go of its port.
     */
    public boolean isRunning() {
        if (!handle.isAlive()) {
            return false;
        }
        char state = state();
        return state != GONE && (state != 'Z' || hasOtherThreads());
    }

    /** Whether it was stopped by SIGSTOP. */
    public boolean isPaused() {
        return handle.isAlive() && state() == 'T';
    }

    /** Returns whether its command line has this argument, which tells a server of ours from another program that got the same pid. */
    boolean wasStartedWith(String argument) {
        return List.of(handle.info().arguments().orElse(new String[0])).contains(argument);
    }

    /** SIGKILL, which works on a paused process as well; returns once it is gone. */
    public void kill() {
        handle.destroyForcibly();
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " was not gone after SIGKILL", () -> !isRunning());
    }

    /** SIGTERM, and SIGCONT so that a paused process gets it; returns once it is gone, or says that it isn't. */
    boolean terminate(Duration within) {
        signal("TERM");
        signal("CONT");
        return Waiting.until(within, () -> !isRunning());
    }

    /** SIGSTOP; returns once the process stands still. */
    public void pause() {
        signal("STOP");
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " did not stop after SIGSTOP", this::isPaused);
    }

    /** SIGCONT; returns once the process goes on. */
    public void resume() {
        signal("CONT");
        Waiting.require(SIGNAL_WITHIN, () -> "process " + pid() + " did not go on after SIGCONT", () -> !isPaused());
    }

    /** By the shell's own {@code kill}: not every system has the program. A process that is gone is none of its worries. */
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
