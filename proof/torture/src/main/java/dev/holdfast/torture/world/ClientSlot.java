package dev.holdfast.torture.world;

import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.torture.client.ClientMain;
import dev.holdfast.torture.client.ClientSettings;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A slot for one client process at a time. After each kill, a new process with a new name takes the slot. Thread-safe.
 */
public final class ClientSlot implements AutoCloseable {

    private static final int STOP_SECONDS = 60;

    private final IntFunction<ClientSettings> settings;
    private final HistoryWriter history;
    private final Path directory;
    private final List<String> problems = new ArrayList<>();
    private int generation;
    private @Nullable Process child;
    private @Nullable OsProcess process;
    private String name = "";

    /**
     * Creates a slot without starting a process.
     *
     * @param settings the settings of each process, by its number
     * @param history the writer that records kills
     * @param directory the directory where the processes write
     */
    ClientSlot(IntFunction<ClientSettings> settings, HistoryWriter history, Path directory) {
        this.settings = settings;
        this.history = history;
        this.directory = directory;
    }

    /** Starts a process. */
    public synchronized void start() {
        ClientSettings now = settings.apply(++generation);
        name = now.name();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                ClientMain.class.getName()));
        command.addAll(now.arguments());
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve(name + ".log").toFile())
                    .start();
            child = started;
            process = OsProcess.endingWithThisJvm(started.toHandle());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the latest process has begun to work: it has recorded an event. */
    public synchronized boolean isAtWork() {
        return history(name).length() > 0;
    }

    private File history(String client) {
        return directory.resolve(client + ".history").toFile();
    }

    /** Kills the process (SIGKILL) at any point of its work, and records the kill. */
    public synchronized void kill() {
        noteIfDead();
        process().kill();
        history.write(new Event.Killed(System.nanoTime(), name));
    }

    /** Pauses the process (SIGSTOP). */
    public synchronized void pause() {
        noteIfDead();
        if (process().isRunning()) {
            process().pause();
        }
    }

    /** Resumes the process (SIGCONT). */
    public synchronized void resume() {
        if (process().isRunning()) {
            process().resume();
        }
    }

    /** Returns whether the process is paused. */
    public synchronized boolean isPaused() {
        return process().isPaused();
    }

    /** Requests that the process stop itself in its next critical section. */
    public synchronized void haltInCriticalSection() {
        tell(ClientMain.HALT);
    }

    /** Cancels {@link #haltInCriticalSection}. A process that has stopped already needs a {@link #resume}. */
    public synchronized void goOn() {
        tell(ClientMain.GO_ON);
    }

    /** Requests that the process end cleanly; returns at once. */
    public synchronized void stop() {
        tell(ClientMain.STOP);
    }

    /** Waits for the end of the process, and returns the failures of all processes of this slot. */
    public synchronized List<String> awaitEnd() throws InterruptedException {
        Process last = Objects.requireNonNull(child);
        if (!last.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            problems.add(name + " did not end within " + STOP_SECONDS + " s after the request");
            process().kill();
        } else {
            noteIfDead();
        }
        return List.copyOf(problems);
    }

    private void noteIfDead() {
        Process last = Objects.requireNonNull(child);
        if (!last.isAlive() && last.exitValue() != 0) {
            problems.add(name + " ended with status " + last.exitValue() + "; see its log");
        }
    }

    private void tell(String command) {
        try {
            OutputStream commands = Objects.requireNonNull(child).getOutputStream();
            commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
        } catch (IOException e) {
            noteIfDead();
        }
    }

    private OsProcess process() {
        return Objects.requireNonNull(process);
    }

    @Override
    public synchronized void close() {
        OsProcess last = process;
        if (last != null) {
            last.kill();
        }
    }
}
