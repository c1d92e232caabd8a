package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The ways to isolate the command from this process, so that it and all processes that it starts can be signalled together. */
enum ProcessIsolation {
    /** Isolation in a separate session and process group, by {@code setsid}. */
    SESSION,

    /**
     * Isolation as a foreground job of a shell on this process's terminal. The command receives typed input, including Ctrl-C, and may prompt for a
     * password. Ctrl-Z has no effect, because a stopped job would keep its lock.
     */
    JOB,

    /** No isolation, because the system does not support it. */
    NOT;

    /** The shell's program. The command starts after it is in the foreground; otherwise it might be stopped, or end, before the shell has moved it there. */
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

    /** Returns the command prefix that isolates a process without a terminal, such as the guard; empty if there is none. */
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

    /** Returns the process group to signal, as a negative number; or the process if it has no separate group. */
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
            throw new IOException("interrupted while the command started", e);
        }
    }
}
