package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How the command is set apart from us, so that it and all that it starts can be signalled together. */
enum ProcessIsolation {
    /** In a session and process group of its own, by {@code setsid}. */
    SESSION,

    /**
     * As a job of a shell in the foreground of our terminal: what is typed, Ctrl-C too, is for the command, and it may ask there for a
     * password. A job that holds a lock is not left standing still: Ctrl-Z has no effect.
     */
    JOB,

    /** Not at all: the system has no means. */
    NOT;

    /** The command begins when it is in the foreground, or it might stop, or end, before the shell has put it there. */
    private static final String JOB_SCRIPT = """
            set -m
            sh -c 'kill -s STOP $$; exec "$@"' holdfast-command "$@" &
            exec > /dev/null 2>&1
            while kill -s 0 "$!"; do
              fg %1
              code=$?
            done
            exit "$code"
            """;

    private static final long GLANCE_MILLIS = 2;

    static ProcessIsolation choose() {
        if (Terminal.isForeground()) {
            return JOB;
        }
        return CommandPath.find("setsid", Child.path()).isPresent() ? SESSION : NOT;
    }

    /** What sets a process that is none of the terminal's apart, the guard for one; empty where there is nothing. */
    static List<String> session() {
        return CommandPath.find("setsid", Child.path()).isPresent() ? List.of("setsid", "--") : List.of();
    }

    ProcessBuilder builder(List<String> command) {
        List<String> line = new ArrayList<>(
                switch (this) {
                    case SESSION -> session();
                    case JOB -> List.of("sh", "-c", JOB_SCRIPT, "holdfast-job");
                    case NOT -> List.<String>of();
                });
        line.addAll(command);
        return new ProcessBuilder(line);
    }

    /** Returns the process group that is to be signalled, with a minus sign; or the process where it has no group of its own. */
    long target(Process process) throws IOException {
        return switch (this) {
            case SESSION -> -process.pid();
            case NOT -> process.pid();
            case JOB -> -job(process);
        };
    }

    private static long job(Process shell) throws IOException {
        try {
            Optional<ProcessHandle> job = shell.children().findFirst();
            while (job.isEmpty() && !shell.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
                job = shell.children().findFirst();
            }
            return job.orElseGet(shell::toHandle).pid();
        } catch (InterruptedException e) {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
            throw new IOException("interrupted while it began", e);
        }
    }
}
