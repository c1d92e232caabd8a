package dev.holdfast.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The command that runs under the lock: in a session and process group of its own where {@code setsid} is to be had, so that what it
 * starts is signalled with it. Where it is not, signals reach the command, and what ends it also what it has started by then. Thread-safe.
 */
final class Child implements AutoCloseable {

    private final Process process;
    private final Guard guard;
    private final boolean ownGroup;
    private volatile List<ProcessHandle> family = List.of();

    private Child(Process process, Guard guard, boolean ownGroup) {
        this.process = process;
        this.guard = guard;
        this.ownGroup = ownGroup;
        guard.watch(ownGroup ? -process.pid() : process.pid());
    }

    /**
     * Starts a command with our own standard input, output and error.
     *
     * @throws Failure with 126 if the system refuses
     */
    static Child start(List<String> command, Map<String, String> environment) {
        List<String> ownSession = CommandPath.find("setsid", path()).isPresent() ? List.of("setsid", "--") : List.of();
        List<String> line = new ArrayList<>(ownSession);
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        builder.environment().putAll(environment);
        Guard guard = null;
        try {
            guard = Guard.start(ownSession);
            return new Child(builder.start(), guard, !ownSession.isEmpty());
        } catch (IOException e) {
            if (guard != null) {
                guard.close();
            }
            throw new Failure(ExitCode.CANNOT_RUN, "command can't be run: " + e.getMessage(), e);
        }
    }

    static String path() {
        return System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }

    /** How long it may take to end if this process dies. */
    void graceIfWeDie(Duration grace) {
        guard.grace(grace);
    }

    /** Sends it a signal, by its name without {@code SIG}. */
    void signal(String name) {
        if (!guard.signal(name) && name.equals("TERM")) {
            process.destroy();
        }
    }

    /** Asks it to end. A stopped one goes on, or it would not hear. */
    void terminate() {
        family = process.descendants().toList();
        signal("TERM");
        signal("CONT");
        if (!ownGroup) {
            family.forEach(ProcessHandle::destroy);
        }
    }

    /** Ends it, and what it has started. */
    void kill() {
        List<ProcessHandle> others =
                ownGroup ? List.of() : process.descendants().toList();
        if (!guard.signal("KILL") || !ownGroup) {
            process.destroyForcibly();
        }
        others.forEach(ProcessHandle::destroyForcibly);
        family.forEach(ProcessHandle::destroyForcibly);
    }

    /** Waits for its end: its exit code, or 128 and the signal's number. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Completes when all that it had started when it was asked to end has ended. */
    CompletableFuture<Void> familyEnd() {
        return CompletableFuture.allOf(
                family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    }

    /** It has ended; what it left running goes on. */
    @Override
    public void close() {
        guard.close();
    }
}
