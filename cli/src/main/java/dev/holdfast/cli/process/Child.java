package dev.holdfast.cli.process;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The command that runs under the lock, {@linkplain ProcessIsolation isolated} if the system supports that. Otherwise signals reach only the command
 * itself, and stopping it also stops the processes that it has started by then. Thread-safe.
 */
public final class Child implements AutoCloseable {

    private final Process process;
    private final Guard guard;
    private final ProcessIsolation isolation;
    private volatile List<ProcessHandle> family = List.of();

    private Child(Process process, Guard guard, ProcessIsolation isolation) {
        this.process = process;
        this.guard = guard;
        this.isolation = isolation;
    }

    /**
     * Starts a command with this process's standard input, output and error.
     *
     * @throws Failure with 126 if the system cannot start it
     */
    public static Child start(List<String> command, Map<String, String> environment) {
        ProcessIsolation isolation = ProcessIsolation.choose();
        Guard guard = null;
        try {
            guard = Guard.start(ProcessIsolation.session());
            ProcessBuilder builder = new ProcessBuilder().inheritIO();
            Map<String, String> variables = builder.environment();
            DroppedVariables.restore(variables);
            variables.putAll(environment);
            Process process =
                    builder.command(isolation.line(command, guard, variables)).start();
            isolation.watch(process, guard, variables);
            return new Child(process, guard, isolation);
        } catch (IOException e) {
            if (guard != null) {
                guard.close();
            }
            throw new Failure(ExitCode.CANNOT_RUN, "command cannot be run: " + e.getMessage(), e);
        }
    }

    public static String path() {
        return System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    }

    /** Sets how long the command may take to end if this process dies. */
    void graceIfWeDie(Duration grace) {
        guard.grace(grace);
    }

    /** Sends the command a signal, by its name without {@code SIG}. */
    public void signal(String name) {
        if (!guard.signal(name) && name.equals("TERM")) {
            process.destroy();
        }
    }

    /** Asks the command to end. A stopped command is continued, because it would not receive the signal. */
    public void terminate() {
        family = process.descendants().toList();
        signal("TERM");
        signal("CONT");
        if (isolation == ProcessIsolation.NOT) {
            family.forEach(ProcessHandle::destroy);
        }
    }

    /**
     * Kills the command and the processes that it has started. It kills processes that have left its process group once the command has ended: a shell must not
     * notice the end of one command and start the next one.
     */
    public void kill() {
        List<ProcessHandle> all =
                Stream.concat(family.stream(), process.descendants()).distinct().toList();
        family = all;
        boolean guarded = guard.signal("KILL");
        if (!guarded
                || isolation
                        != ProcessIsolation.JOB) { // the shell of a job returns the terminal, and ends with the job
            process.destroyForcibly();
        }
        if (process.isAlive()) {
            process.onExit().thenRun(() -> all.forEach(ProcessHandle::destroyForcibly));
        } else {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Waits for the end of the command; returns its exit code, or 128 plus the signal's number. */
    public int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Returns a stage that completes when the family has ended: the processes that the command had started by the time it was asked to end. */
    CompletableFuture<Void> familyEnd() {
        return CompletableFuture.allOf(
                family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    }

    /** Ends the guard after the command has ended. Processes that the command left running continue. */
    @Override
    public void close() {
        guard.close();
    }
}
