package dev.holdfast.cli.process;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The command that runs under the lock, {@linkplain ProcessIsolation set isolation} where the system can do that. Where it can't, signals reach the
 * command, and what ends it also what it has started by then. Thread-safe.
 */
public final class Child implements AutoCloseable {

    private final Process process;
    private final Guard guard;
    private final ProcessIsolation isolation;
    private volatile List<ProcessHandle> family = List.of();

    private Child(Process process, Guard guard, ProcessIsolation isolation) throws IOException {
        this.process = process;
        this.guard = guard;
        this.isolation = isolation;
        guard.watch(isolation.target(process));
    }

    /**
     * Starts a command with our own standard input, output and error.
     *
     * @throws Failure with 126 if the system refuses
     */
    public static Child start(List<String> command, Map<String, String> environment) {
        ProcessIsolation isolation = ProcessIsolation.choose();
        ProcessBuilder builder = isolation.builder(command).inheritIO();
        builder.environment().putAll(environment);
        Guard guard = null;
        try {
            guard = Guard.start(ProcessIsolation.session());
            return new Child(builder.start(), guard, isolation);
        } catch (IOException e) {
            if (guard != null) {
                guard.close();
            }
            throw new Failure(ExitCode.CANNOT_RUN, "command can't be run: " + e.getMessage(), e);
        }
    }

    public static String path() {
        return System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }

    /** How long it may take to end if this process dies. */
    void graceIfWeDie(Duration grace) {
        guard.grace(grace);
    }

    /** Sends it a signal, by its name without {@code SIG}. */
    public void signal(String name) {
        if (!guard.signal(name) && name.equals("TERM")) {
            process.destroy();
        }
    }

    /** Asks it to end. A stopped one goes on, or it would not hear. */
    public void terminate() {
        family = process.descendants().toList();
        signal("TERM");
        signal("CONT");
        if (isolation == ProcessIsolation.NOT) {
            family.forEach(ProcessHandle::destroy);
        }
    }

    /** Ends it, and what it has started. */
    public void kill() {
        List<ProcessHandle> others = process.descendants().toList();
        if (!guard.signal("KILL")) {
            process.destroyForcibly();
        }
        others.forEach(ProcessHandle::destroyForcibly);
        family.forEach(ProcessHandle::destroyForcibly);
    }

    /** Waits for its end: its exit code, or 128 and the signal's number. */
    public int await() throws InterruptedException {
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
